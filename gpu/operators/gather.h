#pragma once

#include "gpu/operators/plan.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// What GATHER_ND and GATHER_ND1 have in common on the GPU: one kernel that looks tuples up and
// copies slices, as 16-byte texels where layout allows, else element by element. Only where the
// components of one index tuple lie further apart than a view reaches are the indices first brought
// together.

namespace dmlcts::gpu {

// A descriptor of either; GATHER_ND has no batches.
struct GatherDesc {
  const TensorDesc& input;
  const TensorDesc& indices;
  const TensorDesc& output;
  uint32_t inputDimensionCount;
  uint32_t indicesDimensionCount;
  uint32_t batchDimensionCount;
};

// Whether it keeps the constraints that both have: dimension counts, 1 to 8 of them, batches,
// sizes, data of up to 4 bytes, from level 4.1 on of up to 8, an output of the input's type,
// indices of 4 or 8 bytes, and the buffer rules of tensor_memory.h.
bool acceptsGather(const GatherDesc& op, Level level);

// The dispatches. For accepted descriptors with elements of 1, 2, 4 or 8 bytes only.
Plan planGather(const GatherDesc& op, const PlanLimits& limits);

}  // namespace dmlcts::gpu

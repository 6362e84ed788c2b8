#pragma once

#include "gpu/operators/plan.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// Common parts of GATHER_ND and GATHER_ND1 on the GPU. One kernel looks up tuples and copies
// slices: 16-byte texels if the layout allows, else single elements. If one tuple's components lie
// further apart than a view reaches, another pass first packs the indices.

namespace dmlcts::gpu {

// A descriptor of either operator; GATHER_ND has no batches.
struct GatherDesc {
  const TensorDesc& input;
  const TensorDesc& indices;
  const TensorDesc& output;
  uint32_t inputDimensionCount;
  uint32_t indicesDimensionCount;
  uint32_t batchDimensionCount;
};

// True if the descriptor keeps the shared constraints: 1 to 8 dimensions, dimension counts,
// batches, sizes, an output of the input's type. Data have up to 4 bytes, from level 4.1 on up to
// 8; indices have 4 or 8. Includes the buffer rules of tensor_memory.h.
bool acceptsGather(const GatherDesc& op, Level level);

// Plans accepted descriptors with elements of 1, 2, 4 or 8 bytes.
Plan planGather(const GatherDesc& op, const PlanLimits& limits);

}  // namespace dmlcts::gpu

#pragma once

#include "gpu/operators/plan.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// GATHER_ND1 (GATHER_ND with batch dimensions) on the GPU: see gather.h.

namespace dmlcts::gpu {

// True if an implementation of that level accepts the descriptor: the documented tensor support and
// constraints, ONNX's on batch dimensions, and the buffer rules of tensor_memory.h.
bool acceptsGatherNd1(const GatherNd1& op, Level level);

// Plans accepted descriptors only.
Plan planGatherNd1(const GatherNd1& op, const PlanLimits& limits);

}  // namespace dmlcts::gpu

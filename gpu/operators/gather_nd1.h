#pragma once

#include "gpu/operators/plan.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// GATHER_ND1, which is GATHER_ND with batch dimensions, on the GPU: see gather.h.

namespace dmlcts::gpu {

// Whether an implementation of that level takes the descriptor: the operator document's tensor
// support and constraints, ONNX's on batch dimensions, and the buffer rules of tensor_memory.h.
bool acceptsGatherNd1(const GatherNd1& op, Level level);

// The dispatches. For accepted descriptors only.
Plan planGatherNd1(const GatherNd1& op, const PlanLimits& limits);

}  // namespace dmlcts::gpu

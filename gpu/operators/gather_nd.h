#pragma once

#include "gpu/operators/plan.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// GATHER_ND on the GPU: see gather.h.

namespace dmlcts::gpu {

// Whether an implementation of that level takes the descriptor: the operator document's tensor
// support and constraints (output sizes as in its worked example), and the buffer rules of
// tensor_memory.h.
bool acceptsGatherNd(const GatherNd& op, Level level);

// The dispatches. For accepted descriptors only.
Plan planGatherNd(const GatherNd& op, const PlanLimits& limits);

}  // namespace dmlcts::gpu

#pragma once

#include "gpu/operators/plan.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// GATHER_ND on the GPU: see gather.h.

namespace dmlcts::gpu {

// True if an implementation of that level accepts the descriptor: the documented tensor support and
// constraints (output sizes as in the worked example), and the buffer rules of tensor_memory.h.
bool acceptsGatherNd(const GatherNd& op, Level level);

// Plans accepted descriptors only.
Plan planGatherNd(const GatherNd& op, const PlanLimits& limits);

}  // namespace dmlcts::gpu

#pragma once

#include "gpu/operators/plan.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// GATHER_ND on the GPU: one kernel that looks tuples up and copies slices, as 16-byte texels where
// layout allows, else element by element. Only where the components of one index tuple lie further
// apart than a view reaches are the indices first brought together.

namespace dmlcts::gpu {

// Whether an implementation of that level takes the descriptor: the operator document's tensor
// support and constraints (output sizes as in its worked example), and the buffer rules of
// tensor_layout.h.
bool accepts(const GatherNd& op, Level level);

// The dispatches. For accepted descriptors only.
Plan planOf(const GatherNd& op, const PlanLimits& limits);

}  // namespace dmlcts::gpu

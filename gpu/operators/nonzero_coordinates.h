#pragma once

#include "gpu/operators/plan.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// NONZERO_COORDINATES on the GPU: input -> bit mask, its ranks and tile counts (mark) -> rows
// before each tile and the count (scan) -> rows of coordinates.

namespace dmlcts::gpu {

// Whether an implementation of that level takes the descriptor: the operator document's tensor
// support and constraints, and the buffer rules of tensor_memory.h.
bool acceptsNonzeroCoordinates(const NonzeroCoordinates& op, Level level);

// The dispatches. For accepted descriptors only; throws std::length_error when the limits are too
// small for one row, or one scan, of this operator.
Plan planNonzeroCoordinates(const NonzeroCoordinates& op, const PlanLimits& limits);

}  // namespace dmlcts::gpu

#pragma once

#include "gpu/operators/plan.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// NONZERO_COORDINATES on the GPU: input -> bit mask, its ranks and tile counts (mark) -> rows
// before each tile and the count (scan) -> rows of coordinates.

namespace dmlcts::gpu {

// True if an implementation of that level accepts the descriptor: the documented tensor support and
// constraints, and the buffer rules of tensor_memory.h.
bool acceptsNonzeroCoordinates(const NonzeroCoordinates& op, Level level);

// Plans accepted descriptors only. Throws std::length_error if the limits are too small for one row
// or one scan.
Plan planNonzeroCoordinates(const NonzeroCoordinates& op, const PlanLimits& limits);

}  // namespace dmlcts::gpu

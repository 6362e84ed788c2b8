#pragma once

#include <variant>

#include "gpu/operators/gather_nd.h"
#include "gpu/operators/nonzero_coordinates.h"

// The one list of operators that run on the GPU: an operator has accepts() and planOf().

namespace dmlcts::gpu {

inline bool accepts(const Descriptor& descriptor, Level level) {
  return std::visit([&](const auto& op) { return accepts(op, level); }, descriptor);
}

inline Plan planOf(const Descriptor& descriptor, const PlanLimits& limits) {
  return std::visit([&](const auto& op) { return planOf(op, limits); }, descriptor);
}

}  // namespace dmlcts::gpu

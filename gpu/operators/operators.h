#pragma once

#include "gpu/operators/gather.h"
#include "gpu/operators/nonzero_coordinates.h"
#include "reference/per_operator.h"

// The GPU functions of each operator.

namespace dmlcts::gpu {

template <class Operator>
struct GpuEntry {
  // True if an implementation of that level accepts the descriptor.
  bool (*accepts)(const Operator& op, Level level);
  // Plans accepted descriptors only.
  Plan (*plan)(const Operator& op, const PlanLimits& limits);
};

inline constexpr PerOperator<GpuEntry> kGpu{
    GpuEntry<GatherNd>{acceptsGatherNd, planGatherNd},
    GpuEntry<NonzeroCoordinates>{acceptsNonzeroCoordinates, planNonzeroCoordinates},
    GpuEntry<GatherNd1>{acceptsGatherNd1, planGatherNd1},
};

inline bool accepts(const Descriptor& descriptor, Level level) {
  return visitEntry(kGpu, descriptor,
                    [&](const auto& entry, const auto& op) { return entry.accepts(op, level); });
}

inline Plan planOf(const Descriptor& descriptor, const PlanLimits& limits) {
  return visitEntry(kGpu, descriptor,
                    [&](const auto& entry, const auto& op) { return entry.plan(op, limits); });
}

}  // namespace dmlcts::gpu

#pragma once

#include <span>

#include "conformance/run/operators/gather.h"
#include "conformance/run/operators/nonzero_coordinates.h"
#include "reference/per_operator.h"

// What running cases knows of each operator.

namespace dmlcts {

template <class Operator>
struct RunEntry {
  // How a valid descriptor becomes smaller, and what to leave of its values.
  void (*addShapes)(const Operator& op, Neighbours& neighbours);
  // Fills to try, plainest first: one is not tried where the case has one that comes before it.
  std::vector<FillKind> (*fills)();
  // Other descriptors that ask for the same.
  std::span<const Detour<Operator>> detours;
};

inline constexpr PerOperator<RunEntry> kRun{
    RunEntry<GatherNd>{addGatherShapes<GatherNd>, gatherFills, kGatherNdDetours},
    RunEntry<NonzeroCoordinates>{addNonzeroShapes, nonzeroFills, {}},
    RunEntry<GatherNd1>{addGatherShapes<GatherNd1>, gatherFills, {}},
};

}  // namespace dmlcts

#pragma once

#include "conformance/run/operators/gather.h"
#include "conformance/run/operators/nonzero_coordinates.h"
#include "reference/per_operator.h"

// What shrinking knows of each operator.

namespace dmlcts {

template <class Operator>
struct ShrinkEntry {
  // How a valid descriptor becomes smaller, and what to leave of its values.
  void (*addShapes)(const Operator& op, Neighbours& neighbours);
  // Fills to try, plainest first: one is not tried where the case has one that comes before it.
  std::vector<FillKind> (*fills)();
};

inline constexpr PerOperator<ShrinkEntry> kShrink{
    ShrinkEntry<GatherNd>{addGatherShapes<GatherNd>, gatherFills},
    ShrinkEntry<NonzeroCoordinates>{addNonzeroShapes, nonzeroFills},
    ShrinkEntry<GatherNd1>{addGatherShapes<GatherNd1>, gatherFills},
};

}  // namespace dmlcts

#pragma once

#include "bench/operators/gather.h"
#include "bench/operators/nonzero_coordinates.h"
#include "reference/per_operator.h"

// The benchmarks of each operator; null if it has none of a set.

namespace dmlcts::bench {

template <class Operator>
struct BenchEntry {
  void (*sweep)(WorkList& list);  // Set::Quick and Set::Full
  void (*goals)(WorkList& list);
  void (*large)(WorkList& list);
};

inline constexpr PerOperator<BenchEntry> kBench{
    BenchEntry<GatherNd>{sweepGather, gatherGoals, gatherLarge},
    BenchEntry<NonzeroCoordinates>{sweepNonzero, nonzeroGoals, nonzeroLarge},
    BenchEntry<GatherNd1>{sweepBatches, batchGoals, nullptr},
};

}  // namespace dmlcts::bench

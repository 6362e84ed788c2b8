#pragma once

#include "bench/operators/gather.h"
#include "bench/operators/nonzero_coordinates.h"
#include "reference/per_operator.h"

// The benchmarks of each operator.

namespace dmlcts::bench {

template <class Operator>
struct BenchEntry {
  void (*sweep)(WorkList& list);  // Set::Quick and Set::Full
  void (*goals)(WorkList& list);
  void (*large)(WorkList& list);
  uint64_t (*bytesMoved)(const Operator& op, const PreparedCase& prepared);
  size_t elements;      // slot of the tensor whose elements are counted
  bool comparesValues;  // so a device may flush denormals
};

inline constexpr PerOperator<BenchEntry> kBench{
    BenchEntry<GatherNd>{sweepGather, gatherGoals, gatherLarge, bytesOfGather<GatherNd>, 2, false},
    BenchEntry<NonzeroCoordinates>{sweepNonzero, nonzeroGoals, nonzeroLarge, bytesOfNonzero, 0,
                                   true},
    BenchEntry<GatherNd1>{sweepBatches, batchGoals, nullptr, bytesOfGather<GatherNd1>, 2, false},
};

}  // namespace dmlcts::bench

#pragma once

#include "reference/operators/gather_nd.h"
#include "reference/operators/gather_nd1.h"
#include "reference/operators/nonzero_coordinates.h"
#include "reference/per_operator.h"

// The oracle's functions for each operator.

namespace dmlcts {

template <class Operator>
struct OracleEntry {
  std::span<const Rule> (*rules)();
  std::vector<BrokenRule> (*check)(const Operator& op, Level level);
  std::vector<ReferenceOutput> (*evaluate)(const Operator& op,
                                           std::span<const std::vector<uint8_t>> inputs);
  std::vector<std::string_view> (*explain)(const Operator& op, const Execution& execution);
  // Null if the operator evaluates whole tensors only.
  std::unique_ptr<OutputStream> (*stream)(const Operator& op, std::vector<InputElements> inputs,
                                          const ForEach& forEach) = nullptr;
};

inline constexpr PerOperator<OracleEntry> kOracle{
    OracleEntry<GatherNd>{gatherNdRules, checkGatherNd, evaluateGatherNd, explainGatherNd,
                          streamGatherNd},
    OracleEntry<NonzeroCoordinates>{nonzeroCoordinatesRules, checkNonzeroCoordinates,
                                    evaluateNonzeroCoordinates, explainNonzeroCoordinates,
                                    streamNonzeroCoordinates},
    OracleEntry<GatherNd1>{gatherNd1Rules, checkGatherNd1, evaluateGatherNd1, explainGatherNd1,
                           streamGatherNd1},
};

}  // namespace dmlcts

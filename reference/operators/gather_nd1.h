#pragma once

#include <span>
#include <vector>

#include "reference/evaluate.h"
#include "reference/explain.h"
#include "reference/rules.h"
#include "reference/stream.h"

// GATHER_ND1, as documented for DML_GATHER_ND1_OPERATOR_DESC.

namespace dmlcts {

std::span<const Rule> gatherNd1Rules();

// See check() in rules.h and evaluate() in evaluate.h.
std::vector<BrokenRule> checkGatherNd1(const GatherNd1& op, Level level);
std::vector<ReferenceOutput> evaluateGatherNd1(const GatherNd1& op,
                                               std::span<const std::vector<uint8_t>> inputs);

// See stream.h.
std::unique_ptr<OutputStream> streamGatherNd1(const GatherNd1& op,
                                              std::vector<InputElements> inputs,
                                              const ForEach& forEach);

// See explain() in explain.h.
std::vector<std::string_view> explainGatherNd1(const GatherNd1& op, const Execution& execution);

}  // namespace dmlcts

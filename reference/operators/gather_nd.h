#pragma once

#include <span>
#include <vector>

#include "reference/evaluate.h"
#include "reference/explain.h"
#include "reference/rules.h"
#include "reference/stream.h"

// GATHER_ND, as documented for DML_GATHER_ND_OPERATOR_DESC.

namespace dmlcts {

std::span<const Rule> gatherNdRules();

// See check() in rules.h and evaluate() in evaluate.h.
std::vector<BrokenRule> checkGatherNd(const GatherNd& op, Level level);
std::vector<ReferenceOutput> evaluateGatherNd(const GatherNd& op,
                                              std::span<const std::vector<uint8_t>> inputs);

// See stream.h.
std::unique_ptr<OutputStream> streamGatherNd(const GatherNd& op, std::vector<InputElements> inputs,
                                             const ForEach& forEach);

// See explain() in explain.h.
std::vector<std::string_view> explainGatherNd(const GatherNd& op, const Execution& execution);

}  // namespace dmlcts

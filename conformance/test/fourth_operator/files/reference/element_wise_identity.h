#pragma once

#include <span>
#include <vector>

#include "reference/evaluate.h"
#include "reference/rules.h"

// A copy of the input: DirectML's ELEMENT_WISE_IDENTITY without a scale, with rules of our own.

namespace dmlcts {

std::span<const Rule> identityRules();
std::vector<BrokenRule> checkIdentity(const ElementWiseIdentity& op, Level level);
std::vector<ReferenceOutput> evaluateIdentity(const ElementWiseIdentity& op,
                                              std::span<const std::vector<uint8_t>> inputs);
std::vector<std::string_view> explainIdentity(const ElementWiseIdentity& op,
                                              const Execution& execution);

}  // namespace dmlcts

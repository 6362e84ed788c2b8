#pragma once

#include <string_view>
#include <vector>

#include "conformance/language/case.h"

namespace dmlcts {

// Returns the ids of the rules that a case tests, in ledger order. For a rejection, the rule
// broken. For an accepted descriptor, the ByExecuting rules that its shapes, strides and fills
// exercise. Judged from the recipe, without creating inputs: a rule is listed only if the recipe
// makes its subject (nearly) certain. The views have static storage.
std::vector<std::string_view> rulesOf(const Case& testCase);

}  // namespace dmlcts

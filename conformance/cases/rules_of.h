#pragma once

#include <string_view>
#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// The ids of the rules that a case tests, in ledger order: for a rejection the
// rule broken; for an accepted descriptor those ByExecuting rules that its shapes, strides and
// fills really bring into play. Judged from the recipe, without making the inputs; a rule is named
// only where the recipe makes certain, or all but certain, that its subject occurs.
// The result lives as long as the program.
std::vector<std::string_view> rulesOf(const Case& testCase);

}  // namespace dmlcts

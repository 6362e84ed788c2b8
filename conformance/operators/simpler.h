#pragma once

#include <vector>

#include "conformance/language/case.h"

namespace dmlcts {

// Returns simpler neighbours of a case, simplest first: newer level, plainer types and values,
// fewer elements and dimensions, packed layouts. Each has the same expectation: it executes, is
// accepted, or breaks the same rule and no rule that the case keeps.
std::vector<Case> simplerCases(const Case& testCase);

}  // namespace dmlcts

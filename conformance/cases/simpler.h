#pragma once

#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// Simpler neighbours of a case, simplest first: a newer level, plainer types and values, fewer
// elements, fewer dimensions, packed layouts. Each asks of a target what the case asks: it
// executes, is accepted, or breaks the same rule and none that the case keeps.
std::vector<Case> simplerCases(const Case& testCase);

}  // namespace dmlcts

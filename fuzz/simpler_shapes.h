#pragma once

#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// A valid case with plainer shapes, packed, simplest first: all elements in one dimension; sizes
// at the boundaries below what they are, which single steps would take long to reach. Some break
// rules that the case keeps: the caller keeps those that do not.
std::vector<Case> simplerShapes(const Case& testCase);

}  // namespace dmlcts

#pragma once

#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// Changes to a descriptor that breaks a rule, each towards a simpler one, most of them worthless:
// the caller keeps those that break the same rule. Safe on any descriptor whatever.
std::vector<Case> simplerRejects(const Case& testCase);

}  // namespace dmlcts

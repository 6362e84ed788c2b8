#pragma once

#include <vector>

#include "conformance/cases/language/case.h"

namespace dmlcts {

// Returns simplifications of a descriptor that breaks a rule. Most are useless: the caller keeps
// those that break the same rule. Safe on any descriptor.
std::vector<Case> simplerRejects(const Case& testCase);

}  // namespace dmlcts

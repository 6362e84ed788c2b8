#pragma once

#include <optional>
#include <string>

#include "conformance/cases/case.h"

namespace dmlcts {

// Returns why a case from a user or file cannot be run here, or nothing. It may contradict itself
// (caseProblem()), or harness and worker together may need more memory than is available. Cases of
// tiers need no check.
std::optional<std::string> whyNotRunnable(const Case& testCase);

}  // namespace dmlcts

#pragma once

#include <optional>
#include <string>

#include "conformance/cases/case.h"

namespace dmlcts {

// Why a case that somebody typed, or that a file holds, cannot be run here, or nothing: it
// contradicts itself (caseProblem()), or harness and worker together would need more memory than
// this machine has left. Cases of the tiers need not be asked.
std::optional<std::string> whyNotRunnable(const Case& testCase);

}  // namespace dmlcts

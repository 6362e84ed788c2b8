#pragma once

#include <optional>
#include <string>

#include "conformance/language/case.h"
#include "reference/operators/gather.h"

// Finds what keeps a case from being executed, or from proving anything.

namespace dmlcts {

// True if only the case's level calls for the rejection. A device whose highest level is `highest`
// and that does not gate lower levels accepts the descriptor.
bool rejectedByLevelOnly(const Case& testCase, Level highest);

// Returns why the case cannot be executed, or nothing. Examples: elements outside the tensor,
// indices outside the type's range, over 32 GiB in a tensor, a rule broken at the newest level.
// Cases with Expect::Execute must have no such problem.
std::optional<std::string> inputProblem(const Case& testCase);

// Returns why the case cannot be executed in these modes, or nothing.
std::optional<std::string> modeProblem(const Case& testCase, const gpu::Modes& modes);

// Returns why the case contradicts itself, or nothing: it breaks a rule but does not expect a
// rejection, names a rule that it does not break, or cannot be executed as expected. Families list
// no such case. A typed case string can be one; its result would prove nothing.
std::optional<std::string> caseProblem(const Case& testCase);

// Returns why no index of a gather can be in range, or nothing.
std::optional<std::string> indexProblem(const Gather& gather);

}  // namespace dmlcts

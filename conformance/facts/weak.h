#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/language/case.h"
#include "reference/evaluate.h"

// Weak cases: their data hide most errors that their tensors could show. Either only one kind of
// wrong answer would be detected, because all indices are equal, all selected rows are equal, or
// nothing is counted. Or strides that matter could be ignored, such as those of an input without
// zeros (not checked for tensors over 4 MiB). They are executed and judged like others, but count
// towards no coverage.

namespace dmlcts {

// Returns why the case is weak, or "". `inputs` are its input bytes, `expected` the result of
// evaluate(). The view has static storage.
std::string_view weakBecause(const Descriptor& descriptor,
                             std::span<const std::vector<uint8_t>> inputs,
                             std::span<const ReferenceOutput> expected);

// Computes inputs and outputs itself. Returns "" for a case that does not execute or has an
// inputProblem(). Also returns "" for a tensor beyond kMostInGroups elements, which is assumed not
// to be weak.
std::string_view weakBecause(const Case& testCase);

}  // namespace dmlcts

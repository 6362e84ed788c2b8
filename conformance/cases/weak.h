#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"
#include "reference/evaluate.h"

// Cases whose data hide what their tensors could show: of the wrong answers that other data would
// tell from the right one, only those of one kind are told, because all indices are equal, the rows
// that they select are, or nothing is counted; or strides that matter could be ignored, as those of
// an input that has no zero (of tensors of more than 4 MiB this is not looked at). They are
// executed and judged like others, and count towards no coverage.

namespace dmlcts {

// Why the case is weak, or "" where it is not; `inputs` are the bytes of its inputs, `expected` is
// what evaluate() returned. A view of static storage.
std::string_view weakBecause(const Descriptor& descriptor,
                             std::span<const std::vector<uint8_t>> inputs,
                             std::span<const ReferenceOutput> expected);

// The same, with inputs and outputs made for it; "" of a case that does not execute, that has an
// inputProblem(), or with a tensor beyond kMostInGroups elements, which is taken for what it is
// meant to be.
std::string_view weakBecause(const Case& testCase);

}  // namespace dmlcts

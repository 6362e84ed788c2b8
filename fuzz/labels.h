#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"

// A case seen as a point in the parameter space of the suite: one value for each parameter. Used
// for the label distribution of a fuzz run and for combinatorial coverage.

namespace dmlcts {

enum class Parameter : uint8_t {
  Operator,
  Level,
  InputType,
  IndexType,
  Rank,           // DimensionCount of the input
  InputLayout,    // of strides: none, packed, perm, pad, step, broadcast, other
  IndicesLayout,  //
  OutputLayout,   // of output or coords
  Values,         // class of the input's fill
  Indices,        // class of the index fill
  Size,           // class of the input's element count
  Attributes,     // tuple size and array of tuples; columns
};
inline constexpr size_t kParameters = 12;

// In words: "input type".
std::string_view name(Parameter parameter);

// The values that a parameter can have, in words. A case has the number of one of them.
const std::vector<std::string_view>& valuesOf(Parameter parameter);

using Labels = std::array<uint8_t, kParameters>;

// Where a parameter has no meaning (index type of NONZERO_COORDINATES), its last value, "none".
// Requires a case that executes.
Labels labelsOf(const Case& testCase);

}  // namespace dmlcts

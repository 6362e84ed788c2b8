#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
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
  InputLayout,    // of strides: none, packed, perm, pad, step, broadcast, other; by where elements
  IndicesLayout,  // lie, so that all strides of one element are packed
  OutputLayout,   // of output or coords
  Values,         // class of the input's fill
  Indices,        // class of the index fill
  Size,           // class of the input's element count
  Attributes,     // class of what is the operator's own: tuple sizes, batches, columns
};
inline constexpr size_t kParameters = 12;

// Values of the parameters that have no enumeration elsewhere. Layouts begin with those of
// LayoutKind.
enum LayoutLabel : uint8_t { NoStrides = 5, OtherLayout = 6, NoTensor = 7 };
enum ValueLabel : uint8_t { Zeros, Sparse, Dense, MixedValues, Special };
enum IndexLabel : uint8_t { FromStart, FromEnd, Ends, Pattern, OutOfRange, NoIndex };
// The last two are more than one tile of our kernels, and than 65,535 groups of 64 threads: where
// implementations begin another pass or another dimension of groups.
enum SizeLabel : uint8_t { One, Few, Tens, Hundreds, Thousands, AboveTile, AboveGroups };
inline constexpr uint64_t kMostInTile = 16'384;
inline constexpr uint64_t kMostInGroups = 65'535 * 64;

// In words: "input type".
std::string_view name(Parameter parameter);

// The values that a parameter can have, in words. A case has the number of one of them.
const std::vector<std::string_view>& valuesOf(Parameter parameter);

using Labels = std::array<uint8_t, kParameters>;

// The value of one parameter.
inline uint8_t& at(Labels& labels, Parameter parameter) {
  return labels[static_cast<size_t>(parameter)];
}
inline uint8_t at(const Labels& labels, Parameter parameter) {
  return labels[static_cast<size_t>(parameter)];
}

// Where a parameter has no meaning (index type of NONZERO_COORDINATES), its last value, "none".
// Requires a case that executes, and that has no caseProblem().
Labels labelsOf(const Case& testCase);

// A word for each parameter, as journals keep them: "gather_nd 3.0 f32 u32 4 perm …". Words outlive
// a change of the numbers.
std::string wordsOf(const Labels& labels);

// wordsOf()'s inverse; nothing where another version has other words.
std::optional<Labels> parseLabels(std::string_view words);

// A value in one word: without commas, and with "-" in place of spaces.
std::string oneWord(std::string_view text);

}  // namespace dmlcts

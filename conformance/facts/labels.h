#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/language/case.h"

// A case as a point in the suite's parameter space: one value per parameter. Used for the label
// distribution of a fuzz run and for combinatorial coverage.

namespace dmlcts {

enum class Parameter : uint8_t {
  Operator,
  Level,
  InputType,
  IndexType,
  Rank,           // DimensionCount of the input
  InputLayout,    // none, packed, perm, pad, step, broadcast, other; by where
  IndicesLayout,  // elements lie, so any strides of one element are packed
  OutputLayout,   // the same, for output or coords
  Values,         // class of the input's fill
  Indices,        // class of the index fill
  Size,           // class of the input's element count
  Attributes,     // class of the operator's own attributes: tuple sizes, batches, columns
};
inline constexpr size_t kParameters = 12;

// Values of parameters without an enumeration elsewhere. Layout labels continue LayoutKind.
enum LayoutLabel : uint8_t { NoStrides = 5, OtherLayout = 6, NoTensor = 7 };
enum ValueLabel : uint8_t { Zeros, Sparse, Dense, MixedValues, Special };
enum IndexLabel : uint8_t { FromStart, FromEnd, Ends, Pattern, OutOfRange, NoIndex };
// The last two exceed one tile of our kernels, and 65,535 groups of 64 threads. Implementations
// there start another pass or another dimension of groups.
enum SizeLabel : uint8_t { One, Few, Tens, Hundreds, Thousands, AboveTile, AboveGroups };
inline constexpr uint64_t kMostInTile = 16'384;
inline constexpr uint64_t kMostInGroups = 65'535 * 64;

// Returns the parameter in words: "input type".
std::string_view name(Parameter parameter);

// Returns a parameter's possible values, in words. Labels are positions in this list.
const std::vector<std::string_view>& valuesOf(Parameter parameter);

using Labels = std::array<uint8_t, kParameters>;

inline uint8_t& at(Labels& labels, Parameter parameter) {
  return labels[static_cast<size_t>(parameter)];
}
inline uint8_t at(const Labels& labels, Parameter parameter) {
  return labels[static_cast<size_t>(parameter)];
}

// Returns the case's labels. A parameter without meaning (index type of NONZERO_COORDINATES) gets
// its last value, "none". Requires a case that executes and has no caseProblem().
Labels labelsOf(const Case& testCase);

// Returns one word per parameter, for journals: "gather_nd 3.0 f32 u32 4 perm …". Words stay valid
// when the numbers change.
std::string wordsOf(const Labels& labels);

// Inverse of wordsOf(). Returns nothing for words of another version.
std::optional<Labels> parseLabels(std::string_view words);

// Returns the value as one word: commas removed, spaces replaced by "-".
std::string oneWord(std::string_view text);

}  // namespace dmlcts

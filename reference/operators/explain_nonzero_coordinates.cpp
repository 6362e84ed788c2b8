#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "reference/element.h"
#include "reference/operators/nonzero_coordinates.h"
#include "reference/tensor.h"

// explain() for NONZERO_COORDINATES; see explain.h.

namespace dmlcts {
namespace {

using Row = std::array<uint32_t, 8>;  // coordinates, then zeros

constexpr uint64_t kMostRows = uint64_t{1} << 21;  // more are not examined

// True if a device that flushes FLOAT32 denormals to zero leaves these outputs. Such a device
// writes fewer rows and may leave the memory behind them untouched.
bool flushesDenormals(const NonzeroCoordinates& op, const Execution& execution) {
  if (op.input.type != DataType::Float32) return false;
  std::vector<uint8_t> flushed = execution.inputs[0];
  for (uint64_t at = 0; at + 4 <= flushed.size(); at += 4) {
    const uint64_t bits = loadBits(flushed, at, 4);
    if (floatFormat(DataType::Float32).isDenormal(bits)) storeBits(flushed, at, 4, 0);
  }
  return accountsFor(evaluateNonzeroCoordinates(op, {&flushed, 1}), execution);
}

// The outputs in the documentation's terms: a count and rows.
class Outputs {
 public:
  Outputs(const NonzeroCoordinates& op, const Execution& execution)
      : op_(op),
        execution_(execution),
        strides_(elementStrides(op.coords).value()),
        rows_(op.coords.sizes[op.coords.sizes.size() - 2]),
        columns_(op.coords.sizes.back()) {}

  uint64_t count() const { return loadBits(execution_.after[0], 0, 4); }
  uint64_t expectedCount() const { return loadBits(execution_.expected[0].bytes, 0, 4); }
  Row row(uint64_t index) const { return read(index, execution_.after[1]); }
  Row expectedRow(uint64_t index) const { return read(index, execution_.expected[1].bytes); }

  // Returns the element indices that the first `rows` rows name. Empty unless every row names an
  // element, in ascending order.
  std::optional<std::vector<uint64_t>> elements(uint64_t rows) const {
    if (rows > rows_) return std::nullopt;
    std::vector<uint64_t> all;
    for (uint64_t i = 0; i < rows; ++i) {
      const auto element = elementOf(row(i));
      if (!element || (!all.empty() && *element <= all.back())) return std::nullopt;
      all.push_back(*element);
    }
    return all;
  }

  // Dimensions without a column have size 1, so a row names one element. Empty if out of range.
  std::optional<uint64_t> elementOf(const Row& row) const {
    const size_t first = op_.input.sizes.size() - columns_;
    uint64_t element = 0;
    for (size_t i = 0; i < columns_; ++i) {
      if (row[i] >= op_.input.sizes[first + i]) return std::nullopt;
      element = element * op_.input.sizes[first + i] + row[i];
    }
    return element;
  }

 private:
  Row read(uint64_t index, std::span<const uint8_t> bytes) const {
    Row row{};
    for (size_t i = 0; i < columns_; ++i) {
      const uint64_t at = index * strides_[strides_.size() - 2] + i * strides_.back();
      row[i] = static_cast<uint32_t>(loadBits(bytes, at * 4, 4));
    }
    return row;
  }

  const NonzeroCoordinates& op_;
  const Execution& execution_;
  std::vector<uint64_t> strides_;  // of the coordinates
  uint64_t rows_;
  size_t columns_;
};

// Returns the rules that a target breaks if it reports `actual` instead of `expected`. Each missing
// element is explained by itself: a device may flush denormals in some of its lanes only.
std::vector<std::string_view> rulesOfElements(const NonzeroCoordinates& op,
                                              const Execution& execution,
                                              const std::vector<uint64_t>& expected,
                                              const std::vector<uint64_t>& actual) {
  if (!info(op.input.type).isFloat) return {"nonzero_coordinates.nonzero"};
  const FloatFormat format = floatFormat(op.input.type);
  const uint32_t width = info(op.input.type).bytes;
  const auto strides = elementStrides(op.input).value();
  const auto bitsOf = [&](uint64_t element) {
    uint64_t address = 0;
    for (size_t axis = op.input.sizes.size(); axis-- > 0; element /= op.input.sizes[axis]) {
      address += element % op.input.sizes[axis] * strides[axis];
    }
    return loadBits(execution.inputs[0], address * width, width);
  };
  std::vector<uint64_t> missing;
  std::vector<uint64_t> added;
  std::ranges::set_difference(expected, actual, std::back_inserter(missing));
  std::ranges::set_difference(actual, expected, std::back_inserter(added));
  const auto isMinusZero = [&](uint64_t element) { return bitsOf(element) == format.sign(); };
  if (missing.empty() && std::ranges::all_of(added, isMinusZero)) {
    return {"nonzero_coordinates.signed-zero"};
  }
  bool special = false;
  bool flushed = false;
  for (uint64_t element : missing) {
    const uint64_t bits = bitsOf(element);
    const bool denormal = format.isDenormal(bits);
    if (!format.isNan(bits) && !denormal) return {"nonzero_coordinates.nonzero"};
    (denormal && op.input.type == DataType::Float32 ? flushed : special) = true;
  }
  if (!added.empty()) return {"nonzero_coordinates.nonzero"};
  std::vector<std::string_view> rules;
  if (flushed) rules.emplace_back("nonzero_coordinates.float32-denormals");
  if (special) rules.emplace_back("nonzero_coordinates.not-zero-values");
  return rules;
}

// Returns the rules that the outputs contradict. Does not attribute wrong rows to a rule if there
// are too many to examine.
std::vector<std::string_view> contradicted(const NonzeroCoordinates& op,
                                           const Execution& execution) {
  const Outputs outputs(op, execution);
  const uint64_t expectedCount = outputs.expectedCount();
  const bool countIsRight = outputs.count() == expectedCount;
  if (expectedCount > kMostRows) {
    if (countIsRight) return {};
    return {"nonzero_coordinates.count"};
  }
  std::vector<Row> expected;
  std::vector<Row> actual;
  std::vector<uint64_t> expectedElements;
  for (uint64_t row = 0; row < expectedCount; ++row) {
    expected.push_back(outputs.expectedRow(row));
    actual.push_back(outputs.row(row));
    expectedElements.push_back(outputs.elementOf(expected.back()).value());
  }
  const bool rowsAreRight = actual == expected;
  // If all rows are right, a smaller count hides elements that the target did find.
  if (!rowsAreRight || outputs.count() > expectedCount) {
    if (const auto elements = outputs.elements(outputs.count())) {
      return rulesOfElements(op, execution, expectedElements, *elements);
    }
  }
  std::vector<std::string_view> rules;
  if (!countIsRight) rules.push_back("nonzero_coordinates.count");
  if (rowsAreRight) return rules;
  std::ranges::sort(actual);
  std::ranges::sort(expected);
  rules.push_back(actual == expected ? "nonzero_coordinates.order"
                                     : "nonzero_coordinates.coordinates");
  return rules;
}

}  // namespace

std::vector<std::string_view> explainNonzeroCoordinates(const NonzeroCoordinates& op,
                                                        const Execution& execution) {
  if (flushesDenormals(op, execution)) return {"nonzero_coordinates.float32-denormals"};
  if (auto rules = explainByStrides(op, execution); !rules.empty()) return rules;
  return contradicted(op, execution);
}

}  // namespace dmlcts

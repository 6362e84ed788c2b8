#include "conformance/cases/operators/nonzero_coordinates.h"

#include <algorithm>

#include "conformance/cases/element_text.h"
#include "conformance/cases/families/nonzero_parts.h"
#include "conformance/cases/operators/draw.h"
#include "reference/tensor.h"

namespace dmlcts {

using P = Parameter;

namespace {

enum Columns : uint8_t { FewestColumns, SomeColumns, AllColumns };
constexpr std::array<std::string_view, 3> kColumns{"fewest columns", "some columns", "all columns"};

}  // namespace

std::span<const std::string_view> nonzeroAttributes() { return kColumns; }

uint8_t nonzeroAttributesOf(const NonzeroCoordinates& op) {
  const uint32_t columns = op.coords.sizes.back();
  if (columns == op.input.sizes.size()) return AllColumns;
  return columns == std::max(1u, effectiveRank(op.input.sizes)) ? FewestColumns : SomeColumns;
}

std::span<const Constraint> nonzeroConstraints() {
  static const std::vector<Constraint> all{
      {"in so few dimensions there are no fewer columns, or none in between",
       {P::Rank, P::Attributes},
       [](const Labels& l) {
         return (at(l, P::Rank) == 1 && at(l, P::Attributes) == FewestColumns) ||
                (at(l, P::Rank) <= 2 && at(l, P::Attributes) == SomeColumns);
       }},
      {"one row of one column is packed in any order",
       {P::Size, P::Attributes, P::OutputLayout},
       [](const Labels& l) {
         return at(l, P::Size) == One && at(l, P::Attributes) == FewestColumns &&
                isPerm(at(l, P::OutputLayout));
       }},
      {"one row of one column is packed in any order",
       {P::Rank, P::Size, P::OutputLayout},
       [](const Labels& l) {
         return at(l, P::Rank) == 1 && at(l, P::Size) == One && isPerm(at(l, P::OutputLayout));
       }},
  };
  return all;
}

NonzeroCoordinates drawNonzeroCoordinates(Draws& draws, const Labels& labels) {
  const uint32_t rank = at(labels, P::Rank);
  const uint8_t attributes = at(labels, P::Attributes);
  const uint32_t ones = between(draws, 0, rank - (attributes == AllColumns ? 0 : 1));
  const Sizes input =
      rightAligned(drawSizes(draws, rank - ones, drawElements(draws, at(labels, P::Size))), rank);
  const uint32_t fewest = std::max(1u, effectiveRank(input));
  const uint32_t columns = attributes == AllColumns      ? rank
                           : attributes == FewestColumns ? fewest
                                                         : between(draws, fewest, rank);
  const auto type = static_cast<DataType>(at(labels, P::InputType));
  // Before 4.0 the outputs have the input's dimension count.
  return kLevels[at(labels, P::Level)] >= Level::L4_0
             ? makeNonzero(type, input, columns, between(draws, 1, 8), between(draws, 2, 8))
             : makeNonzero(type, input, columns);
}

namespace {

// With so many independent draws a class of values that has a fair share is all but certain.
constexpr uint64_t kManyElements = 48;

// Whether the fill has negative zeros; `count` elements in all.
bool hasMinusZeros(const Fill& fill, DataType type, uint64_t count) {
  if (!info(type).isFloat) return false;
  switch (fill.kind) {
    case FillKind::Values: {
      const uint64_t sign = floatFormat(type).sign();
      return std::ranges::find(fill.values, sign) != fill.values.end();
    }
    case FillKind::MinusZero:
    case FillKind::Infinities:
    case FillKind::First:
    case FillKind::Last:
    case FillKind::Alternate:
    case FillKind::Single:
      return count >= kManyElements / 2;
    case FillKind::Density:
      return fill.number <= 500'000 && count >= kManyElements;
    case FillKind::Mixed:
      return count >= kManyElements;
    default:
      return false;
  }
}

// Whether the fill has NaNs, infinities or denormals.
bool hasUnusualNonzeros(const Fill& fill, DataType type, uint64_t count) {
  if (!info(type).isFloat) return false;
  switch (fill.kind) {
    case FillKind::Denormals:
    case FillKind::NaNs:
      return true;
    case FillKind::Infinities:
    case FillKind::Extremes:
    case FillKind::All:
    case FillKind::Mixed:
      return count >= kManyElements / 2;
    default:
      return false;
  }
}

// How many non-zero elements there are at least: 0, 1 or 2.
int knownNonzeros(const Fill& fill, uint64_t count) {
  switch (fill.kind) {
    case FillKind::Zeros:
    case FillKind::MinusZero:
      return 0;
    case FillKind::First:
    case FillKind::Last:
    case FillKind::Single:
      return 1;
    case FillKind::Alternate:
      return count >= 4 ? 2 : 0;
    case FillKind::Density:
      return fill.number * count >= 20'000'000 ? 2 : 0;
    case FillKind::Random:
    case FillKind::Unique:
    case FillKind::Mixed:
    case FillKind::Infinities:
      return count >= kManyElements ? 2 : 0;
    case FillKind::Values: {
      const auto zeros = std::ranges::count(fill.values, 0u);
      return static_cast<int>(std::min<size_t>(2, fill.values.size() - static_cast<size_t>(zeros)));
    }
    default:
      return count >= 2 ? 2 : 1;
  }
}

}  // namespace

void addNonzeroCoordinatesRules(const NonzeroCoordinates& op, const Case& testCase,
                                std::vector<std::string_view>& rules) {
  const DataType type = op.input.type;
  const uint64_t count = elementCount(op.input.sizes).value_or(0);
  const int nonzeros = knownNonzeros(testCase.fill, count);
  rules.push_back("nonzero_coordinates.nonzero");
  if (hasMinusZeros(testCase.fill, type, count)) {
    rules.push_back("nonzero_coordinates.signed-zero");
  }
  if (hasUnusualNonzeros(testCase.fill, type, count)) {
    rules.push_back("nonzero_coordinates.not-zero-values");
  }
  rules.push_back("nonzero_coordinates.count");
  if (nonzeros >= 1) rules.push_back("nonzero_coordinates.coordinates");
  if (nonzeros >= 2) rules.push_back("nonzero_coordinates.order");
}

const FamilyParts kNonzeroCoordinatesFamilies{.documents = addNonzeroDocuments,
                                              .matrix = addNonzeroCell,
                                              .attributes = nullptr,
                                              .columns = addNonzeroColumns,
                                              .batches = nullptr,
                                              .values = addNonzeroValues,
                                              .positions = addNonzeroPositions,
                                              .nonzeroSizes = addNonzeroSizes,
                                              .gatherSizes = nullptr,
                                              .indices = nullptr,
                                              .inputLayouts = addNonzeroInputLayouts,
                                              .outputLayouts = addNonzeroOutputLayouts,
                                              .totals = addNonzeroTotals,
                                              .breakable = breakableNonzero,
                                              .mostRejections = SIZE_MAX,
                                              .controlFill = FillKind::All,
                                              .levels = addNonzeroLevels,
                                              .undocumentedTypes = addNonzeroUndocumentedTypes,
                                              .undocumentedRanks = addNonzeroUndocumentedRanks,
                                              .large = addNonzeroLarge,
                                              .largeStrided = addNonzeroLargeStrided};

}  // namespace dmlcts

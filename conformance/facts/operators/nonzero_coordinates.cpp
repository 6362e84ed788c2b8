#include "conformance/facts/operators/nonzero_coordinates.h"

#include <algorithm>

#include "conformance/language/element_text.h"
#include "conformance/language/layout.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {

uint8_t nonzeroAttributes(const NonzeroCoordinates& op) {
  const uint32_t columns = op.coords.sizes.back();
  if (columns == op.input.sizes.size()) return AllColumns;
  return columns == std::max(1u, effectiveRank(op.input.sizes)) ? FewestColumns : SomeColumns;
}

std::vector<Constraint> nonzeroConstraints() {
  return {
      {"an input of zeros shows only the count",
       {Parameter::Values},
       [](const Labels& l) { return at(l, Parameter::Values) == Zeros; },
       true},
      {"in so few dimensions there are no fewer columns, or none in between",
       {Parameter::Rank, Parameter::Attributes},
       [](const Labels& l) {
         return (at(l, Parameter::Rank) == 1 && at(l, Parameter::Attributes) == FewestColumns) ||
                (at(l, Parameter::Rank) <= 2 && at(l, Parameter::Attributes) == SomeColumns);
       }},
      {"an input of so few dimensions is packed, whatever the strides",
       {Parameter::Rank, Parameter::Attributes, Parameter::InputLayout},
       [](const Labels& l) {
         const uint8_t attributes = at(l, Parameter::Attributes);
         const uint32_t ones = attributes == AllColumns ? 0 : attributes == FewestColumns ? 1 : 2;
         const uint32_t several =
             at(l, Parameter::Rank) - std::min<uint32_t>(at(l, Parameter::Rank), ones);
         return !hasLayout(several, at(l, Parameter::InputLayout));
       }},
      {"so few rows and columns are packed, whatever the strides",
       {Parameter::Rank, Parameter::Size, Parameter::Attributes, Parameter::OutputLayout},
       [](const Labels& l) {
         const bool rows = at(l, Parameter::Size) != One;
         const bool fewest = at(l, Parameter::Attributes) == FewestColumns;
         const bool columns =
             fewest ? rows && at(l, Parameter::Rank) > 2 : at(l, Parameter::Rank) > 1;
         return !hasLayout(uint32_t{rows} + uint32_t{columns}, at(l, Parameter::OutputLayout));
       }},
      {"without zeros, the order of the elements does not show",
       {Parameter::InputType, Parameter::Values, Parameter::InputLayout},
       [](const Labels& l) {
         const bool isFloat = info(static_cast<DataType>(at(l, Parameter::InputType))).isFloat;
         const uint8_t values = at(l, Parameter::Values);
         return isPerm(at(l, Parameter::InputLayout)) &&
                (values == Dense || (values == Special && !isFloat));
       },
       true},
  };
}

namespace {

// With this many independent draws, a common class of values almost certainly occurs.
constexpr uint64_t kManyElements = 48;

// True if the fill has negative zeros; `count` is the number of elements.
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

// True if the fill has NaNs or FLOAT16 denormals.
bool hasUnusualNonzeros(const Fill& fill, DataType type, uint64_t count) {
  if (!info(type).isFloat) return false;
  switch (fill.kind) {
    case FillKind::Denormals:
      return type == DataType::Float16;
    case FillKind::NaNs:
      return true;
    case FillKind::Extremes:
    case FillKind::All:
    case FillKind::Mixed:
      return count >= kManyElements / 2;
    default:
      return false;
  }
}

// True if the fill has FLOAT32 denormals.
bool hasFloat32Denormals(const Fill& fill, DataType type, uint64_t count) {
  if (type != DataType::Float32) return false;
  switch (fill.kind) {
    case FillKind::Denormals:
      return true;
    case FillKind::Extremes:
    case FillKind::All:
    case FillKind::Mixed:
      return count >= kManyElements / 2;
    default:
      return false;
  }
}

// Returns a lower bound on the number of non-zero elements: 0, 1 or 2.
int knownNonzeros(const Fill& fill, uint64_t count) {
  switch (fill.kind) {
    case FillKind::Zeros:
    case FillKind::MinusZero:
    case FillKind::Npy:
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

void addNonzeroRules(const NonzeroCoordinates& op, const Case& testCase,
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
  if (hasFloat32Denormals(testCase.fill, type, count)) {
    rules.push_back("nonzero_coordinates.float32-denormals");
  }
  rules.push_back("nonzero_coordinates.count");
  if (nonzeros >= 1) rules.push_back("nonzero_coordinates.coordinates");
  if (nonzeros >= 2) rules.push_back("nonzero_coordinates.order");
  if (nonzeros < 2 && static_cast<uint64_t>(nonzeros) < count) {
    rules.push_back("nonzero_coordinates.rows-written");
  }
}

std::string_view nonzeroWeak(const NonzeroCoordinates&, std::span<const uint8_t>,
                             std::span<const ReferenceOutput> expected) {
  // The count has one element. If it is 0, no coordinates are defined.
  return loadBits(expected[0].bytes, 0, info(DataType::UInt32).bytes) == 0
             ? "nothing is counted, so no coordinates are compared"
             : "";
}

}  // namespace dmlcts

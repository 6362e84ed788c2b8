#include "conformance/cases/parameter_space.h"

#include <algorithm>
#include <array>

#include "conformance/cases/families/build.h"
#include "conformance/cases/layout.h"

namespace dmlcts {
namespace {

using P = Parameter;

bool gathers(const Labels& labels) { return at(labels, P::Operator) == 0; }
Level levelOf(const Labels& labels) { return kLevels[at(labels, P::Level)]; }
bool isOneOf(const std::vector<DataType>& types, uint8_t type) {
  return std::ranges::find(types, static_cast<DataType>(type)) != types.end();
}
bool isLayout(uint8_t label, LayoutKind kind) { return label == static_cast<uint8_t>(kind); }
bool isPerm(uint8_t label) { return isLayout(label, LayoutKind::Perm); }

// Which dimension counts an input may have.
const std::array<bool, 9>& ranksOf(uint8_t op, uint8_t level) {
  static const auto all = [] {
    std::array<std::array<std::array<bool, 9>, kLevels.size()>, 2> table{};
    for (size_t i = 0; i < kLevels.size(); ++i) {
      for (uint32_t rank : gatherRanks(kLevels[i])) table[0][i][rank] = true;
      for (uint32_t rank : nonzeroRanks(kLevels[i])) table[1][i][rank] = true;
    }
    return table;
  }();
  return all[op][level];
}

// A single dimension has one stride: packed, step or broadcast.
bool needsTwoDimensions(uint8_t layout) {
  return isPerm(layout) || isLayout(layout, LayoutKind::Pad) || layout == OtherLayout;
}

}  // namespace

std::span<const Constraint> constraints() {
  static const std::vector<Constraint> all{
      {"NONZERO_COORDINATES has no indices tensor, GATHER_ND has one",
       {P::Operator, P::IndexType},
       [](const Labels& l) {
         return gathers(l) == (at(l, P::IndexType) == static_cast<uint8_t>(DataType::Unknown));
       }},
      {"NONZERO_COORDINATES has no indices tensor, GATHER_ND has one",
       {P::Operator, P::IndicesLayout},
       [](const Labels& l) { return gathers(l) == (at(l, P::IndicesLayout) == NoTensor); }},
      {"NONZERO_COORDINATES has no indices, GATHER_ND has some",
       {P::Operator, P::Indices},
       [](const Labels& l) { return gathers(l) == (at(l, P::Indices) == NoIndex); }},
      {"tuples are GATHER_ND's, columns NONZERO_COORDINATES'",
       {P::Operator, P::Attributes},
       [](const Labels& l) { return gathers(l) != (at(l, P::Attributes) < FewestColumns); }},
      {"both operators have an input and an output",
       {P::InputLayout},
       [](const Labels& l) { return at(l, P::InputLayout) == NoTensor; }},
      {"both operators have an input and an output",
       {P::OutputLayout},
       [](const Labels& l) { return at(l, P::OutputLayout) == NoTensor; }},
      {"the operator documents do not list the data type",
       {P::InputType},
       [](const Labels& l) { return !isOneOf(documentedTypes(), at(l, P::InputType)); }},
      {"the operator document does not list the index type at that level",
       {P::Operator, P::Level, P::IndexType},
       [](const Labels& l) {
         return gathers(l) && !isOneOf(indexTypes(levelOf(l)), at(l, P::IndexType));
       }},
      {"the operator document does not list the dimension count at that level, or the level has no "
       "such operator",
       {P::Operator, P::Level, P::Rank},
       [](const Labels& l) {
         return !ranksOf(at(l, P::Operator), at(l, P::Level))[at(l, P::Rank)];
       }},
      {"what an index out of range selects is undefined",
       {P::Indices},
       [](const Labels& l) { return at(l, P::Indices) == OutOfRange; }},
      {"an unsigned index cannot count from the end",
       {P::IndexType, P::Indices},
       [](const Labels& l) {
         return at(l, P::Indices) == FromEnd &&
                !info(static_cast<DataType>(at(l, P::IndexType))).isSigned;
       }},
      {"a single dimension is packed, step or broadcast",
       {P::Rank, P::InputLayout},
       [](const Labels& l) {
         return at(l, P::Rank) == 1 && needsTwoDimensions(at(l, P::InputLayout));
       }},
      {"a single dimension is packed, step or broadcast",
       {P::Rank, P::IndicesLayout},
       [](const Labels& l) {
         return at(l, P::Rank) == 1 && needsTwoDimensions(at(l, P::IndicesLayout));
       }},
      {"a single dimension is packed, step or broadcast",
       {P::Operator, P::Rank, P::OutputLayout},
       [](const Labels& l) {
         return gathers(l) && at(l, P::Rank) == 1 && needsTwoDimensions(at(l, P::OutputLayout));
       }},
      {"one element is packed in any order",
       {P::InputLayout, P::Size},
       [](const Labels& l) { return isPerm(at(l, P::InputLayout)) && at(l, P::Size) == One; }},
      {"in one dimension there is room for one tuple of one index",
       {P::Operator, P::Rank, P::Attributes},
       [](const Labels& l) {
         return gathers(l) && at(l, P::Rank) == 1 && at(l, P::Attributes) != OneWholeTuple;
       }},
      {"in so few dimensions there are no fewer columns, or none in between",
       {P::Rank, P::Attributes},
       [](const Labels& l) {
         return (at(l, P::Rank) == 1 && at(l, P::Attributes) == FewestColumns) ||
                (at(l, P::Rank) <= 2 && at(l, P::Attributes) == SomeColumns);
       }},
      {"one whole tuple selects one element, and that is packed in any order",
       {P::Attributes, P::OutputLayout},
       [](const Labels& l) {
         return at(l, P::Attributes) == OneWholeTuple && isPerm(at(l, P::OutputLayout));
       }},
      {"one tuple and one element make an output of one element, which is packed in any order",
       {P::Size, P::Attributes, P::OutputLayout},
       [](const Labels& l) {
         return at(l, P::Size) == One && at(l, P::Attributes) == OnePartialTuple &&
                isPerm(at(l, P::OutputLayout));
       }},
      {"in two dimensions one partial tuple is one index, which is packed in any order",
       {P::Rank, P::Attributes, P::IndicesLayout},
       [](const Labels& l) {
         return at(l, P::Rank) == 2 && at(l, P::Attributes) == OnePartialTuple &&
                isPerm(at(l, P::IndicesLayout));
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
      {"in an input of zeros that have one spelling any index would do",
       {P::Operator, P::InputType, P::Values, P::Size},
       [](const Labels& l) {
         return gathers(l) && at(l, P::Values) == Zeros && at(l, P::Size) != One &&
                !info(static_cast<DataType>(at(l, P::InputType))).isFloat;
       }},
  };
  return all;
}

namespace {

bool breaks(const PartialLabels& labels, const Constraint& constraint) {
  return std::ranges::none_of(constraint.of, [&](P p) { return at(labels, p) == kAny; }) &&
         constraint.breaks(labels);
}

// The constraints that a value of the parameter may break.
const std::vector<const Constraint*>& constraintsOf(size_t parameter) {
  static const auto all = [] {
    std::array<std::vector<const Constraint*>, kParameters> lists;
    for (const Constraint& constraint : constraints()) {
      for (P each : constraint.of) lists[static_cast<size_t>(each)].push_back(&constraint);
    }
    return lists;
  }();
  return all[parameter];
}

// Gives values to the parameters that have none, backtracking. The labels are kept when it fails.
bool complete(PartialLabels& labels) {
  const auto open = std::ranges::find(labels, kAny);
  if (open == labels.end()) return true;
  const auto parameter = static_cast<size_t>(open - labels.begin());
  const size_t values = valuesOf(static_cast<P>(parameter)).size();
  for (size_t value = 0; value < values; ++value) {
    labels[parameter] = static_cast<uint8_t>(value);
    const bool broken =
        std::ranges::any_of(constraintsOf(parameter), [&](const Constraint* constraint) {
          return breaks(labels, *constraint);
        });
    if (!broken && complete(labels)) return true;
  }
  labels[parameter] = kAny;
  return false;
}

}  // namespace

PartialLabels anyLabels() {
  PartialLabels labels;
  labels.fill(kAny);
  return labels;
}

const Constraint* brokenConstraint(const PartialLabels& labels) {
  const auto all = constraints();
  const auto broken =
      std::ranges::find_if(all, [&](const Constraint& each) { return breaks(labels, each); });
  return broken == all.end() ? nullptr : &*broken;
}

std::optional<Labels> completed(const PartialLabels& labels) {
  if (brokenConstraint(labels)) return std::nullopt;
  Labels whole = labels;
  return complete(whole) ? std::optional(whole) : std::nullopt;
}

namespace {

void addPossible(PartialLabels labels, size_t at, Combinations& combinations) {
  if (at == combinations.parameters.size()) {
    if (completed(labels)) combinations.possible.push_back(labels);
    return;
  }
  const Parameter parameter = combinations.parameters[at];
  for (size_t value = 0; value < valuesOf(parameter).size(); ++value) {
    labels[static_cast<size_t>(parameter)] = static_cast<uint8_t>(value);
    if (!brokenConstraint(labels)) addPossible(labels, at + 1, combinations);
  }
}

void addChoices(uint32_t strength, size_t from, std::vector<Parameter>& chosen,
                std::vector<Combinations>& all) {
  if (chosen.size() == strength) {
    all.push_back({chosen, {}});
    addPossible(anyLabels(), 0, all.back());
    return;
  }
  for (size_t parameter = from; parameter < kParameters; ++parameter) {
    chosen.push_back(static_cast<Parameter>(parameter));
    addChoices(strength, parameter + 1, chosen, all);
    chosen.pop_back();
  }
}

}  // namespace

std::vector<Combinations> possibleCombinations(uint32_t strength) {
  std::vector<Combinations> all;
  std::vector<Parameter> chosen;
  addChoices(strength, 0, chosen, all);
  return all;
}

}  // namespace dmlcts

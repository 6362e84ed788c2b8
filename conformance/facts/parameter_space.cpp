#include "conformance/facts/parameter_space.h"

#include <algorithm>
#include <array>

#include "conformance/facts/operators.h"
#include "conformance/language/layout.h"

namespace dmlcts {
namespace {

const OperatorFacts& factsOf(const Labels& labels) {
  return operatorFacts()[at(labels, Parameter::Operator)];
}
bool hasIndices(const Labels& labels) { return factsOf(labels).indicesSlot.has_value(); }
bool isLayout(uint8_t label, LayoutKind kind) { return label == static_cast<uint8_t>(kind); }

// The numbers (types or dimension counts) that each operator lists at a level, cached because
// looked up often.
template <class Number>
class ByLevel {
 public:
  explicit ByLevel(std::vector<Number> (*OperatorFacts::*list)(Level)) {
    for (const OperatorFacts& facts : operatorFacts()) {
      auto& levels = has_.emplace_back();
      for (size_t i = 0; i < kLevels.size(); ++i) {
        for (Number number : (facts.*list)(kLevels[i])) {
          levels[i][static_cast<size_t>(number)] = true;
        }
      }
    }
  }

  bool has(const Labels& labels, uint8_t number) const {
    return has_[at(labels, Parameter::Operator)][at(labels, Parameter::Level)][number];
  }

 private:
  std::vector<std::array<std::array<bool, 16>, kLevels.size()>> has_;
};

std::vector<Constraint> commonConstraints() {
  static const ByLevel<DataType> dataTypes(&OperatorFacts::dataTypes);
  static const ByLevel<DataType> indexTypes(&OperatorFacts::indexTypes);
  static const ByLevel<uint32_t> dimensionCounts(&OperatorFacts::dimensionCounts);
  return {
      {"an index type is of operators with an indices tensor, and of all of them",
       {Parameter::Operator, Parameter::IndexType},
       [](const Labels& l) {
         return hasIndices(l) ==
                (at(l, Parameter::IndexType) == static_cast<uint8_t>(DataType::Unknown));
       }},
      {"a layout of indices is of operators with an indices tensor, and of all of them",
       {Parameter::Operator, Parameter::IndicesLayout},
       [](const Labels& l) {
         return hasIndices(l) == (at(l, Parameter::IndicesLayout) == NoTensor);
       }},
      {"indices are of operators with an indices tensor, and of all of them",
       {Parameter::Operator, Parameter::Indices},
       [](const Labels& l) { return hasIndices(l) == (at(l, Parameter::Indices) == NoIndex); }},
      {"the attributes are those of another operator",
       {Parameter::Operator, Parameter::Attributes},
       [](const Labels& l) {
         return at(withOwnAttributes(l), Parameter::Attributes) == kNotItsOwn;
       }},
      {"every operator has an input and an output",
       {Parameter::InputLayout},
       [](const Labels& l) { return at(l, Parameter::InputLayout) == NoTensor; }},
      {"every operator has an input and an output",
       {Parameter::OutputLayout},
       [](const Labels& l) { return at(l, Parameter::OutputLayout) == NoTensor; }},
      {"the operator document does not list the data type at that level",
       {Parameter::Operator, Parameter::Level, Parameter::InputType},
       [](const Labels& l) { return !dataTypes.has(l, at(l, Parameter::InputType)); }},
      {"the operator document does not list the index type at that level",
       {Parameter::Operator, Parameter::Level, Parameter::IndexType},
       [](const Labels& l) {
         return hasIndices(l) && !indexTypes.has(l, at(l, Parameter::IndexType));
       }},
      {"the operator document does not list the dimension count at that level, or the level has no "
       "such operator",
       {Parameter::Operator, Parameter::Level, Parameter::Rank},
       [](const Labels& l) { return !dimensionCounts.has(l, at(l, Parameter::Rank)); }},
      {"what an index out of range selects is undefined",
       {Parameter::Indices},
       [](const Labels& l) { return at(l, Parameter::Indices) == OutOfRange; }},
      {"an unsigned index cannot count from the end",
       {Parameter::IndexType, Parameter::Indices},
       [](const Labels& l) {
         return at(l, Parameter::Indices) == FromEnd &&
                !info(static_cast<DataType>(at(l, Parameter::IndexType))).isSigned;
       }},
      {"a single dimension is packed, step or broadcast",
       {Parameter::Rank, Parameter::InputLayout},
       [](const Labels& l) {
         return at(l, Parameter::Rank) == 1 && needsTwoDimensions(at(l, Parameter::InputLayout));
       }},
      {"a single dimension is packed, step or broadcast",
       {Parameter::Rank, Parameter::IndicesLayout},
       [](const Labels& l) {
         return at(l, Parameter::Rank) == 1 && needsTwoDimensions(at(l, Parameter::IndicesLayout));
       }},
      {"one element is packed, whatever the strides",
       {Parameter::InputLayout, Parameter::Size},
       [](const Labels& l) {
         return at(l, Parameter::Size) == One && !hasLayout(0, at(l, Parameter::InputLayout));
       }},
      {"elements of an output have addresses of their own",
       {Parameter::OutputLayout},
       [](const Labels& l) {
         return isLayout(at(l, Parameter::OutputLayout), LayoutKind::Broadcast);
       }},
      {"in an input of zeros that have one spelling any index would do",
       {Parameter::Operator, Parameter::InputType, Parameter::Values, Parameter::Size},
       [](const Labels& l) {
         return hasIndices(l) && at(l, Parameter::Values) == Zeros &&
                at(l, Parameter::Size) != One &&
                !info(static_cast<DataType>(at(l, Parameter::InputType))).isFloat;
       },
       true},
  };
}

// Restricts a constraint to one operator.
Constraint boundTo(uint8_t op, const Constraint& constraint) {
  Constraint bound = constraint;
  bound.of.insert(bound.of.begin(), Parameter::Operator);
  bound.breaks = [op, breaks = constraint.breaks](const Labels& labels) {
    return at(labels, Parameter::Operator) == op && breaks(withOwnAttributes(labels));
  };
  return bound;
}

void addChoices(uint32_t strength, size_t from, std::vector<Parameter>& chosen,
                std::vector<std::vector<Parameter>>& all) {
  if (chosen.size() == strength) return all.push_back(chosen);
  for (size_t parameter = from; parameter < kParameters; ++parameter) {
    chosen.push_back(static_cast<Parameter>(parameter));
    addChoices(strength, parameter + 1, chosen, all);
    chosen.pop_back();
  }
}

}  // namespace

bool isPerm(uint8_t layout) { return isLayout(layout, LayoutKind::Perm); }

bool needsTwoDimensions(uint8_t layout) {
  return isPerm(layout) || isLayout(layout, LayoutKind::Pad) || layout == OtherLayout;
}

std::span<const Constraint> constraints() {
  static const std::vector<Constraint> all = [] {
    std::vector<Constraint> joined = commonConstraints();
    const auto operators = operatorFacts();
    for (size_t op = 0; op < operators.size(); ++op) {
      for (const Constraint& constraint : operators[op].constraints()) {
        joined.push_back(boundTo(static_cast<uint8_t>(op), constraint));
      }
    }
    return joined;
  }();
  return all;
}

bool hasLayout(uint32_t several, uint8_t layout) {
  if (layout == NoStrides || isLayout(layout, LayoutKind::Packed)) return true;
  return several >= (needsTwoDimensions(layout) ? 2u : 1u);
}

PartialLabels anyLabels() {
  PartialLabels labels;
  labels.fill(kAny);
  return labels;
}

bool Constraint::isBrokenBy(const PartialLabels& labels) const {
  const auto isOpen = [&](Parameter parameter) { return at(labels, parameter) == kAny; };
  return std::ranges::none_of(of, isOpen) && breaks(labels);
}

const Constraint* brokenConstraint(const PartialLabels& labels) {
  const auto all = constraints();
  const auto broken = std::ranges::find_if(
      all, [&labels](const Constraint& each) { return each.isBrokenBy(labels); });
  return broken == all.end() ? nullptr : &*broken;
}

std::vector<std::vector<Parameter>> parameterChoices(uint32_t strength) {
  std::vector<std::vector<Parameter>> all;
  std::vector<Parameter> chosen;
  addChoices(strength, 0, chosen, all);
  return all;
}

}  // namespace dmlcts

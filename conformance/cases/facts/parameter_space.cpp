#include "conformance/cases/facts/parameter_space.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "conformance/cases/language/layout.h"
#include "conformance/cases/operators/operators.h"

namespace dmlcts {
namespace {

using P = Parameter;

const OperatorFacts& factsOf(const Labels& labels) {
  return operatorFacts()[at(labels, P::Operator)];
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
    return has_[at(labels, P::Operator)][at(labels, P::Level)][number];
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
       {P::Operator, P::IndexType},
       [](const Labels& l) {
         return hasIndices(l) == (at(l, P::IndexType) == static_cast<uint8_t>(DataType::Unknown));
       }},
      {"a layout of indices is of operators with an indices tensor, and of all of them",
       {P::Operator, P::IndicesLayout},
       [](const Labels& l) { return hasIndices(l) == (at(l, P::IndicesLayout) == NoTensor); }},
      {"indices are of operators with an indices tensor, and of all of them",
       {P::Operator, P::Indices},
       [](const Labels& l) { return hasIndices(l) == (at(l, P::Indices) == NoIndex); }},
      {"the attributes are those of another operator",
       {P::Operator, P::Attributes},
       [](const Labels& l) { return at(withOwnAttributes(l), P::Attributes) == kNotItsOwn; }},
      {"every operator has an input and an output",
       {P::InputLayout},
       [](const Labels& l) { return at(l, P::InputLayout) == NoTensor; }},
      {"every operator has an input and an output",
       {P::OutputLayout},
       [](const Labels& l) { return at(l, P::OutputLayout) == NoTensor; }},
      {"the operator document does not list the data type at that level",
       {P::Operator, P::Level, P::InputType},
       [](const Labels& l) { return !dataTypes.has(l, at(l, P::InputType)); }},
      {"the operator document does not list the index type at that level",
       {P::Operator, P::Level, P::IndexType},
       [](const Labels& l) { return hasIndices(l) && !indexTypes.has(l, at(l, P::IndexType)); }},
      {"the operator document does not list the dimension count at that level, or the level has no "
       "such operator",
       {P::Operator, P::Level, P::Rank},
       [](const Labels& l) { return !dimensionCounts.has(l, at(l, P::Rank)); }},
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
      {"one element is packed, whatever the strides",
       {P::InputLayout, P::Size},
       [](const Labels& l) {
         return at(l, P::Size) == One && !hasLayout(0, at(l, P::InputLayout));
       }},
      {"elements of an output have addresses of their own",
       {P::OutputLayout},
       [](const Labels& l) { return isLayout(at(l, P::OutputLayout), LayoutKind::Broadcast); }},
      {"in an input of zeros that have one spelling any index would do",
       {P::Operator, P::InputType, P::Values, P::Size},
       [](const Labels& l) {
         return hasIndices(l) && at(l, P::Values) == Zeros && at(l, P::Size) != One &&
                !info(static_cast<DataType>(at(l, P::InputType))).isFloat;
       },
       true},
  };
}

// Restricts a constraint to one operator.
Constraint boundTo(uint8_t op, const Constraint& constraint) {
  Constraint bound = constraint;
  bound.of.insert(bound.of.begin(), P::Operator);
  bound.breaks = [op, breaks = constraint.breaks](const Labels& labels) {
    return at(labels, P::Operator) == op && breaks(withOwnAttributes(labels));
  };
  return bound;
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

const Domain& allValues() {
  static const Domain all = [] {
    Domain domain;
    for (size_t parameter = 0; parameter < kParameters; ++parameter) {
      domain[parameter].resize(valuesOf(static_cast<P>(parameter)).size());
      std::iota(domain[parameter].begin(), domain[parameter].end(), uint8_t{0});
    }
    return domain;
  }();
  return all;
}

const Domain& defaultValues() {
  static const Domain values = [] {
    Domain domain = allValues();
    domain[static_cast<size_t>(P::Size)].pop_back();
    return domain;
  }();
  return values;
}

const Domain& largeValues() {
  static const Domain values = [] {
    Domain domain = allValues();
    domain[static_cast<size_t>(P::Size)] = {AboveGroups};
    return domain;
  }();
  return values;
}

Domain valuesOfEdition(uint32_t edition, Domain domain) {
  std::vector<uint8_t>& operators = domain[static_cast<size_t>(P::Operator)];
  std::vector<uint8_t>& attributes = domain[static_cast<size_t>(P::Attributes)];
  std::erase_if(operators, [&](uint8_t op) { return operatorFacts()[op].edition != edition; });
  std::erase_if(attributes, [&](uint8_t attribute) {
    return std::ranges::none_of(operators, [&](uint8_t op) {
      PartialLabels labels = anyLabels();
      at(labels, P::Operator) = op;
      at(labels, P::Attributes) = attribute;
      return at(withOwnAttributes(labels), P::Attributes) != kNotItsOwn;
    });
  });
  return domain;
}

namespace {

using ParameterBits = uint16_t;
static_assert(kParameters <= 16);

ParameterBits bitOf(size_t parameter) { return static_cast<ParameterBits>(1u << parameter); }

ParameterBits withValue(const PartialLabels& labels) {
  ParameterBits bits = 0;
  for (size_t i = 0; i < kParameters; ++i) bits |= labels[i] == kAny ? 0 : bitOf(i);
  return bits;
}

struct CheckedConstraint {
  explicit CheckedConstraint(const Constraint& of) : constraint(&of), needs(0) {
    for (P each : of.of) needs |= bitOf(static_cast<size_t>(each));
  }
  bool isBrokenBy(const PartialLabels& labels, ParameterBits have) const {
    return (needs & ~have) == 0 && constraint->breaks(labels);
  }

  const Constraint* constraint;
  ParameterBits needs;
};

const std::vector<CheckedConstraint>& checkedConstraints() {
  static const std::vector<CheckedConstraint> all(constraints().begin(), constraints().end());
  return all;
}

// Returns the constraints that a value of the parameter may break.
const std::vector<CheckedConstraint>& constraintsOf(size_t parameter) {
  static const auto all = [] {
    std::array<std::vector<CheckedConstraint>, kParameters> lists;
    for (const CheckedConstraint& each : checkedConstraints()) {
      for (size_t i = 0; i < kParameters; ++i) {
        if (each.needs & bitOf(i)) lists[i].push_back(each);
      }
    }
    return lists;
  }();
  return all[parameter];
}

// True if the parameter's value breaks a constraint.
bool breaksAt(const PartialLabels& labels, size_t parameter) {
  const ParameterBits have = withValue(labels);
  return std::ranges::any_of(constraintsOf(parameter), [&](const CheckedConstraint& each) {
    return each.isBrokenBy(labels, have);
  });
}

// Parameters bound by common constraints are adjacent, so that backtracking detects a dead end
// before it tries all values of the others.
constexpr std::array<P, kParameters> kCompleted{
    P::Operator,   P::Level,       P::InputType,     P::IndexType,    P::Rank,   P::Size,
    P::Attributes, P::InputLayout, P::IndicesLayout, P::OutputLayout, P::Values, P::Indices};

// Gives values to open parameters by backtracking. Leaves the labels unchanged if it fails.
bool complete(PartialLabels& labels, const Domain& domain) {
  const auto open = std::ranges::find(kCompleted, kAny, [&](P each) { return at(labels, each); });
  if (open == kCompleted.end()) return true;
  const auto parameter = static_cast<size_t>(*open);
  for (uint8_t value : domain[parameter]) {
    labels[parameter] = value;
    if (!breaksAt(labels, parameter) && complete(labels, domain)) return true;
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
  const auto& all = checkedConstraints();
  const auto broken =
      std::ranges::find_if(all, [have = withValue(labels), &labels](const auto& each) {
        return each.isBrokenBy(labels, have);
      });
  return broken == all.end() ? nullptr : broken->constraint;
}

std::optional<Labels> completed(const PartialLabels& labels, const Domain& domain) {
  if (brokenConstraint(labels)) return std::nullopt;
  Labels whole = labels;
  return complete(whole, domain) ? std::optional(whole) : std::nullopt;
}

namespace {

void addPossible(PartialLabels labels, size_t at, const Domain& domain,
                 Combinations& combinations) {
  if (at == combinations.parameters.size()) {
    Labels whole = labels;
    if (complete(whole, domain)) combinations.possible.push_back(labels);
    return;
  }
  const auto parameter = static_cast<size_t>(combinations.parameters[at]);
  for (uint8_t value : domain[parameter]) {
    labels[parameter] = value;
    if (!breaksAt(labels, parameter)) addPossible(labels, at + 1, domain, combinations);
  }
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

std::vector<std::vector<Parameter>> parameterChoices(uint32_t strength) {
  std::vector<std::vector<Parameter>> all;
  std::vector<Parameter> chosen;
  addChoices(strength, 0, chosen, all);
  return all;
}

std::vector<Combinations> possibleCombinations(uint32_t strength, const Domain& domain) {
  std::vector<Combinations> all;
  for (auto& parameters : parameterChoices(strength)) {
    all.push_back({std::move(parameters), {}});
    addPossible(anyLabels(), 0, domain, all.back());
  }
  return all;
}

}  // namespace dmlcts

#include "conformance/tiers/test/covering_array.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "conformance/facts/operators.h"

namespace dmlcts {
namespace {

using P = Parameter;

// Returns the constraints that a value of the parameter may break.
const std::vector<const Constraint*>& constraintsOf(size_t parameter) {
  static const auto all = [] {
    std::array<std::vector<const Constraint*>, kParameters> lists;
    for (const Constraint& each : constraints()) {
      for (P of : each.of) lists[static_cast<size_t>(of)].push_back(&each);
    }
    return lists;
  }();
  return all[parameter];
}

// True if the parameter's value breaks a constraint.
bool breaksAt(const PartialLabels& labels, size_t parameter) {
  return std::ranges::any_of(constraintsOf(parameter),
                             [&](const Constraint* each) { return each->isBrokenBy(labels); });
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

// Completes the labels so that they break no constraint. Returns nothing if that is impossible.
std::optional<Labels> completed(const PartialLabels& labels, const Domain& domain) {
  if (brokenConstraint(labels)) return std::nullopt;
  Labels whole = labels;
  return complete(whole, domain) ? std::optional(whole) : std::nullopt;
}

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

// Combinations still to cover when a parameter is added, each with a choice of earlier parameters.
class Uncovered {
 public:
  explicit Uncovered(const Combinations& combinations)
      : parameters_(combinations.parameters), wanted_(sizeOf(parameters_), false) {
    for (const PartialLabels& labels : combinations.possible) wanted_[numberOf(labels)] = true;
  }

  // True if the labels contain a combination that is still uncovered.
  bool wants(const PartialLabels& labels) const {
    return std::ranges::none_of(parameters_, [&](Parameter p) { return at(labels, p) == kAny; }) &&
           wanted_[numberOf(labels)];
  }
  void cover(const PartialLabels& labels) {
    if (wants(labels)) wanted_[numberOf(labels)] = false;
  }

 private:
  static size_t sizeOf(const std::vector<Parameter>& parameters) {
    size_t size = 1;
    for (Parameter parameter : parameters) size *= valuesOf(parameter).size();
    return size;
  }
  size_t numberOf(const PartialLabels& labels) const {
    size_t number = 0;
    for (Parameter parameter : parameters_) {
      number = number * valuesOf(parameter).size() + at(labels, parameter);
    }
    return number;
  }

  std::vector<Parameter> parameters_;
  std::vector<bool> wanted_;
};

using Rows = std::vector<PartialLabels>;

// Gives each row the new parameter's value that covers most, if any value covers something.
void growRight(Rows& rows, Parameter added, const Domain& domain,
               std::vector<Uncovered>& uncovered) {
  const std::vector<uint8_t>& values = domain[static_cast<size_t>(added)];
  for (size_t i = 0; i < rows.size(); ++i) {
    PartialLabels row = rows[i];
    std::vector<std::pair<size_t, uint8_t>> gains;
    for (size_t v = 0; v < values.size(); ++v) {
      // Starts at another value in each row, so that ties spread evenly.
      const uint8_t value = values[(v + i) % values.size()];
      at(row, added) = value;
      const auto gain = static_cast<size_t>(
          std::ranges::count_if(uncovered, [&](const Uncovered& each) { return each.wants(row); }));
      if (gain > 0) gains.emplace_back(gain, value);
    }
    std::ranges::stable_sort(gains, std::greater{}, [](const auto& gain) { return gain.first; });
    for (const auto& [gain, value] : gains) {
      at(row, added) = value;
      if (!completed(row, domain)) continue;
      rows[i] = row;
      for (Uncovered& each : uncovered) each.cover(row);
      break;
    }
  }
}

// Puts each uncovered combination into the first row with room for it, or else into a new row.
void growDown(Rows& rows, const std::vector<const Combinations*>& wanted, const Domain& domain,
              std::vector<Uncovered>& uncovered) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (const PartialLabels& combination : wanted[i]->possible) {
      if (!uncovered[i].wants(combination)) continue;
      const auto put = [&](PartialLabels& row) {
        PartialLabels merged = row;
        for (Parameter parameter : wanted[i]->parameters) {
          uint8_t& value = at(merged, parameter);
          if (value != kAny && value != at(combination, parameter)) return false;
          value = at(combination, parameter);
        }
        if (!completed(merged, domain)) return false;
        row = merged;
        return true;
      };
      size_t row = 0;
      while (row < rows.size() && !put(rows[row])) ++row;
      if (row == rows.size()) rows.push_back(combination);
      for (Uncovered& each : uncovered) each.cover(rows[row]);
    }
  }
}

}  // namespace

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

std::vector<Combinations> possibleCombinations(uint32_t strength, const Domain& domain) {
  std::vector<Combinations> all;
  for (auto& parameters : parameterChoices(strength)) {
    all.push_back({std::move(parameters), {}});
    addPossible(anyLabels(), 0, domain, all.back());
  }
  return all;
}

std::vector<Labels> coveringArray(uint32_t strength, const Domain& domain) {
  const std::vector<Combinations> all = possibleCombinations(strength, domain);
  // Parameters with many values first: the array is at least as long as the product of the first
  // ones.
  std::vector<Parameter> order(kParameters);
  for (size_t i = 0; i < kParameters; ++i) order[i] = static_cast<Parameter>(i);
  std::ranges::stable_sort(order, std::greater{}, [&](Parameter parameter) {
    return domain[static_cast<size_t>(parameter)].size();
  });
  Rows rows;
  for (size_t added = strength - 1; added < kParameters; ++added) {
    const auto isEarlier = [&](Parameter parameter) {
      return std::find(order.begin(), order.begin() + static_cast<ptrdiff_t>(added), parameter) !=
             order.begin() + static_cast<ptrdiff_t>(added);
    };
    std::vector<const Combinations*> wanted;
    std::vector<Uncovered> uncovered;
    for (const Combinations& each : all) {
      const bool matters = std::ranges::count(each.parameters, order[added]) == 1 &&
                           std::ranges::count_if(each.parameters, isEarlier) == strength - 1;
      if (!matters) continue;
      wanted.push_back(&each);
      uncovered.emplace_back(each);
    }
    growRight(rows, order[added], domain, uncovered);
    growDown(rows, wanted, domain, uncovered);
  }
  for (PartialLabels& row : rows) row = completed(row, domain).value();
  return rows;
}

}  // namespace dmlcts

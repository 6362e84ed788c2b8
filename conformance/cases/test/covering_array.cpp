#include "conformance/cases/test/covering_array.h"

#include <algorithm>
#include <numeric>

#include "conformance/cases/facts/parameter_space.h"

namespace dmlcts {
namespace {

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

#include "conformance/facts/operators.h"

#include <algorithm>

namespace dmlcts {
namespace {

struct AttributeNumbers {
  std::vector<std::string_view> names;
  std::vector<std::vector<uint8_t>> ofOperator;  // by the operator's own class number
};

const AttributeNumbers& attributeNumbers() {
  static const AttributeNumbers all = [] {
    AttributeNumbers numbers;
    for (const OperatorFacts& facts : operatorFacts()) {
      auto& own = numbers.ofOperator.emplace_back();
      for (std::string_view name : facts.attributes) {
        const auto found = std::ranges::find(numbers.names, name);
        own.push_back(static_cast<uint8_t>(found - numbers.names.begin()));
        if (found == numbers.names.end()) numbers.names.push_back(name);
      }
    }
    return numbers;
  }();
  return all;
}

}  // namespace

std::span<const OperatorFacts> operatorFacts() {
  static const std::vector<OperatorFacts> all = [] {
    std::vector<OperatorFacts> facts;
    forEachEntry(kFactsTable, [&facts](const auto& entry) { facts.push_back(entry.facts); });
    return facts;
  }();
  return all;
}

uint32_t editions() {
  return std::ranges::max_element(operatorFacts(), {}, &OperatorFacts::edition)->edition;
}

const OperatorFacts& factsOf(const Descriptor& descriptor) {
  return operatorFacts()[descriptor.index()];
}

std::span<const std::string_view> attributeNames() { return attributeNumbers().names; }

uint8_t attributeNumber(size_t op, uint8_t own) {
  return attributeNumbers().ofOperator.at(op).at(own);
}

PartialLabels withOwnAttributes(PartialLabels labels) {
  const auto& numbers = attributeNumbers().ofOperator[at(labels, Parameter::Operator)];
  uint8_t& attribute = at(labels, Parameter::Attributes);
  if (attribute == kAny) return labels;
  const auto found = std::ranges::find(numbers, attribute);
  attribute = found == numbers.end() ? kNotItsOwn : static_cast<uint8_t>(found - numbers.begin());
  return labels;
}

std::optional<Descriptor> simplestDescriptor(std::string_view op, DataType type, uint32_t rank) {
  std::optional<Descriptor> found;
  forEachEntry(kFactsTable, [&](const auto& entry) {
    if (entry.facts.name == op) found = entry.simplest(type, rank);
  });
  return found;
}

}  // namespace dmlcts

#include "conformance/cases/operators.h"

#include <algorithm>

namespace dmlcts {

std::span<const OperatorFacts> operatorFacts() {
  static const std::vector<OperatorFacts> all = [] {
    std::vector<OperatorFacts> facts;
    forEachEntry(kCaseTable, [&facts](const auto& entry) { facts.push_back(entry.facts); });
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

std::optional<Descriptor> simplestDescriptor(std::string_view op, DataType type, uint32_t rank) {
  std::optional<Descriptor> found;
  forEachEntry(kCaseTable, [&](const auto& entry) {
    if (entry.facts.name == op) found = entry.simplest(type, rank);
  });
  return found;
}

}  // namespace dmlcts

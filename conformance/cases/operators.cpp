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

}  // namespace dmlcts

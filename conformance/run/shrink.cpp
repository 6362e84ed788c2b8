#include "conformance/run/shrink.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "conformance/cases/case_string.h"
#include "conformance/cases/simpler.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

uint64_t executedElements(const Case& testCase) {
  if (testCase.expect != Expect::Execute) return 0;
  uint64_t most = 0;
  for (const TensorSlot& slot : tensors(testCase.descriptor)) {
    most = std::max(most, elementCount(slot.desc->sizes).value_or(0));
  }
  return most;
}

}  // namespace

Shrunk shrink(const Case& testCase, const std::function<bool(const Case&)>& stillFails,
              ShrinkBudget budget) {
  Shrunk shrunk{testCase, 0, 0};
  std::unordered_set<std::string> seen{caseString(testCase)};
  for (bool improved = true; improved;) {
    improved = false;
    for (Case& candidate : simplerCases(shrunk.smallest)) {
      if (shrunk.tries >= budget.tries) return shrunk;
      if (!seen.insert(caseString(candidate)).second) continue;
      const uint64_t elements = executedElements(candidate);
      if (elements > budget.elements) continue;
      budget.elements -= elements;
      ++shrunk.tries;
      if (!stillFails(candidate)) continue;
      ++shrunk.steps;
      shrunk.smallest = std::move(candidate);
      improved = true;
      break;
    }
  }
  return shrunk;
}

}  // namespace dmlcts

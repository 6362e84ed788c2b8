#include "conformance/run/replay/shrink.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_set>

#include "conformance/language/case_string.h"
#include "conformance/operators/simpler.h"
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

std::vector<size_t> smallestSet(
    size_t count, int searches,
    const std::function<bool(const std::vector<size_t>&)>& bringsItBack) {
  const auto ask = [&](const std::vector<size_t>& part) {
    return part.size() > 1 && searches-- > 0 && bringsItBack(part);
  };
  std::vector<size_t> smallest(count);
  std::iota(smallest.begin(), smallest.end(), size_t{0});
  if (!ask(smallest)) return {};
  for (size_t parts = 2; searches > 0;) {
    bool smaller = false;
    for (size_t part = 0; part < parts && !smaller; ++part) {
      const auto begin = smallest.begin() + static_cast<ptrdiff_t>(smallest.size() * part / parts);
      const auto end =
          smallest.begin() + static_cast<ptrdiff_t>(smallest.size() * (part + 1) / parts);
      const std::vector<size_t> inside(begin, end);
      std::vector<size_t> outside(smallest.begin(), begin);
      outside.insert(outside.end(), end, smallest.end());
      if (ask(inside)) {
        smallest = inside;
        parts = 2;
        smaller = true;
      } else if (parts > 2 && ask(outside)) {
        smallest = outside;
        parts -= 1;
        smaller = true;
      }
    }
    if (smaller) continue;
    if (parts >= smallest.size()) break;
    parts = std::min(2 * parts, smallest.size());
  }
  return smallest;
}

}  // namespace dmlcts

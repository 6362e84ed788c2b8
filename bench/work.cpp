#include "bench/work.h"

#include "bench/operators.h"
#include "conformance/facts/query.h"
#include "reference/tensor.h"

namespace dmlcts::bench {
std::vector<Work> works(Set set) {
  WorkList list(set);
  forEachEntry(kBench, [&](const auto& entry) {
    const auto add = set == Set::Goals   ? entry.goals
                     : set == Set::Large ? entry.large
                                         : entry.sweep;
    if (add) add(list);
  });
  return list.take();
}

uint64_t bytesMoved(const PreparedCase& prepared) {
  return visitEntry(kBench, prepared.testCase->descriptor, [&](const auto& entry, const auto& op) {
    return entry.bytesMoved(op, prepared);
  });
}

uint64_t elementsOf(const Case& testCase) {
  const size_t slot = visitEntry(kBench, testCase.descriptor,
                                 [](const auto& entry, const auto&) { return entry.elements; });
  return elementCount(tensors(testCase.descriptor)[slot].desc->sizes).value();
}

bool comparesValues(const Case& testCase) {
  return visitEntry(kBench, testCase.descriptor,
                    [](const auto& entry, const auto&) { return entry.comparesValues; });
}

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.find_first_of("*?") == pattern.npos) return name.find(pattern) != name.npos;
  return matchesPattern(pattern, name);
}

}  // namespace dmlcts::bench

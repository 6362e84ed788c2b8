#include "bench/work.h"

#include "bench/operators.h"
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
  if (pattern.find('*') == std::string_view::npos) {
    return name.find(pattern) != std::string_view::npos;
  }
  // What stands between the asterisks, in this order, the ends anchored.
  const size_t first = pattern.find('*');
  if (!name.starts_with(pattern.substr(0, first))) return false;
  name.remove_prefix(first);
  pattern.remove_prefix(first + 1);
  for (size_t star; (star = pattern.find('*')) != std::string_view::npos;) {
    const std::string_view part = pattern.substr(0, star);
    const size_t at = name.find(part);
    if (at == std::string_view::npos) return false;
    name.remove_prefix(at + part.size());
    pattern.remove_prefix(star + 1);
  }
  return name.size() >= pattern.size() && name.ends_with(pattern);
}

}  // namespace dmlcts::bench

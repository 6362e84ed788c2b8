#include "conformance/run/smallest_set.h"

#include <algorithm>
#include <numeric>

namespace dmlcts {

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

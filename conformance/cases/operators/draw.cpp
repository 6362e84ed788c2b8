#include "conformance/cases/operators/draw.h"

#include <algorithm>
#include <array>

namespace dmlcts {

uint32_t between(Draws& draws, uint32_t first, uint32_t last) {
  return first + static_cast<uint32_t>(draws.below(last - first + 1));
}

Sizes drawSizes(Draws& draws, size_t count, uint32_t elements) {
  Sizes sizes(count, 1);
  uint32_t left = elements;
  for (size_t tries = 0; count > 0 && left > 1 && tries < 2 * count; ++tries) {
    uint32_t& size = sizes[draws.below(count)];
    if (size > 1) continue;
    size = between(draws, 1, std::min(left, 2 + left / 3));
    left /= size;
  }
  if (count > 0) sizes[draws.below(count)] *= left;
  return sizes;
}

uint32_t drawElements(Draws& draws, uint8_t size) {
  constexpr std::array<std::array<uint32_t, 2>, 5> kRanges{
      {{1, 1}, {4, 31}, {40, 255}, {300, 2000}, {4096, 6000}}};
  return between(draws, kRanges[size][0], kRanges[size][1]);
}

}  // namespace dmlcts

#include "conformance/inputs/choices.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dmlcts {
namespace {

constexpr uint64_t kMostUsual = 100'000;  // elements; more are rare and always used up

}  // namespace

std::vector<uint32_t> Choices::sizes(size_t count, uint64_t elements) {
  std::vector<uint32_t> sizes(count, 1);
  uint64_t left = elements;
  for (uint32_t axis : shuffled(count)) {
    if (oneIn(3)) {
      sizes[axis] = between(1, static_cast<uint32_t>(std::min<uint64_t>(left, 4)));
    } else if (oneIn(6)) {
      sizes[axis] = between(1, static_cast<uint32_t>(std::min<uint64_t>(left, 300'000)));
    } else {
      sizes[axis] = boundary(left);
    }
    left /= sizes[axis];
  }
  // Only shapes that use the whole budget reach second dispatches and wide counters.
  if (count > 0 && (elements > kMostUsual || oneIn(6))) {
    sizes[below(count)] *= static_cast<uint32_t>(left);
  }
  return sizes;
}

uint32_t Choices::boundary(uint64_t most) {
  const auto fitting =
      static_cast<uint64_t>(std::ranges::upper_bound(kBoundaries, most) - kBoundaries.begin());
  // Draws twice, because few boundaries are large.
  const uint64_t first = below(fitting);
  return kBoundaries[oneIn(2) ? std::max(first, below(fitting)) : first];
}

std::vector<uint32_t> Choices::shuffled(size_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  for (size_t i = count; i > 1; --i) std::swap(numbers[i - 1], numbers[below(i)]);
  return numbers;
}

}  // namespace dmlcts

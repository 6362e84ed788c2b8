#include "reference/tensor.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace dmlcts {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

std::optional<uint64_t> product(uint64_t a, uint64_t b) {
  if (a != 0 && b > kMax / a) return std::nullopt;
  return a * b;
}

std::optional<uint64_t> sum(uint64_t a, uint64_t b) {
  if (b > kMax - a) return std::nullopt;
  return a + b;
}

// Elements from the first address to the last, both included; 0 for an empty tensor.
std::optional<uint64_t> addressSpan(const TensorDesc& tensor) {
  const auto strides = elementStrides(tensor);
  if (!strides) return std::nullopt;
  uint64_t last = 0;
  for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
    if (tensor.sizes[axis] == 0) return 0;
    const auto reach = product(tensor.sizes[axis] - 1, (*strides)[axis]);
    const auto next = reach ? sum(last, *reach) : std::nullopt;
    if (!next) return std::nullopt;
    last = *next;
  }
  return sum(last, 1);
}

}  // namespace

std::optional<uint64_t> elementCount(std::span<const uint32_t> sizes) {
  if (std::ranges::find(sizes, 0u) != sizes.end()) return 0;
  uint64_t count = 1;
  for (uint32_t size : sizes) {
    const auto next = product(count, size);
    if (!next) return std::nullopt;
    count = *next;
  }
  return count;
}

std::optional<std::vector<uint64_t>> elementStrides(const TensorDesc& tensor) {
  const size_t rank = tensor.sizes.size();
  if (tensor.strides) {
    if (tensor.strides->size() != rank) return std::nullopt;
    return std::vector<uint64_t>(tensor.strides->begin(), tensor.strides->end());
  }
  std::vector<uint64_t> strides(rank, 1);
  for (size_t axis = rank; axis-- > 1;) {
    const auto next = product(strides[axis], tensor.sizes[axis]);
    if (!next) return std::nullopt;
    strides[axis - 1] = *next;
  }
  return strides;
}

std::optional<uint64_t> minimumTotalBytes(const TensorDesc& tensor) {
  const auto span = addressSpan(tensor);
  const auto bytes = span ? product(*span, info(tensor.type).bytes) : std::nullopt;
  const auto padded = bytes ? sum(*bytes, 3) : std::nullopt;
  if (!padded) return std::nullopt;
  return *padded / 4 * 4;
}

uint32_t effectiveRank(std::span<const uint32_t> sizes) {
  size_t leadingOnes = 0;
  while (leadingOnes < sizes.size() && sizes[leadingOnes] == 1) ++leadingOnes;
  return static_cast<uint32_t>(sizes.size() - leadingOnes);
}

bool elementsOverlap(const TensorDesc& tensor) {
  const auto strides = elementStrides(tensor);
  const auto minimum = minimumTotalBytes(tensor);
  if (!strides || !minimum || *minimum > tensor.totalBytes) return false;

  // Nested strides, each at least as long as everything inside it, cannot overlap: the common
  // case, decided without a map of addresses.
  std::vector<std::pair<uint64_t, uint64_t>> axes;  // stride, size - 1
  for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
    if (tensor.sizes[axis] > 1) axes.emplace_back((*strides)[axis], tensor.sizes[axis] - 1);
  }
  std::ranges::sort(axes);
  uint64_t inner = 0;  // highest offset within the axes seen so far
  bool nested = true;
  for (const auto& [stride, steps] : axes) {
    nested = nested && stride > inner;
    inner += stride * steps;
  }
  if (nested) return false;

  // Otherwise mark every address. More elements than addresses must overlap.
  const auto span = addressSpan(tensor);
  const auto count = elementCount(tensor.sizes);
  if (!count || *count > *span) return true;
  if (*count == 0) return false;
  std::vector<bool> taken(*span, false);
  ElementWalk walk(tensor.sizes, *strides);
  do {
    if (taken[walk.offset()]) return true;
    taken[walk.offset()] = true;
  } while (walk.next());
  return false;
}

}  // namespace dmlcts

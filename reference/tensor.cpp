#include "reference/tensor.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>

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

// Returns the number of elements from the lowest address to the highest; 0 for an empty tensor.
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

// In elements; no tensor has a larger total (tensor.total-elements). Keeps sums of offsets within a
// signed 64-bit number, and the overlap search within seconds.
constexpr uint64_t kMostSpan = UINT32_MAX;
// DirectML's limit (DML_TENSOR_DIMENSION_COUNT_MAX1).
constexpr size_t kMostAxes = 8;

struct Axis {
  int64_t stride;
  int64_t steps;  // size - 1
  int64_t inner;  // highest offset that the axes behind this one reach together
};

int64_t floorQuotient(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// True if two different elements can share an address: some non-zero vector of coordinate
// differences has a product of 0 with the strides. Tries axis by axis, longest stride first, the
// differences that the later axes can still cancel. `offset` is the product so far; `differs` is
// true once a difference is not 0.
bool differenceVanishes(std::span<const Axis> axes, int64_t offset, bool differs) {
  if (axes.empty()) return offset == 0 && differs;
  const Axis& axis = axes.front();
  // One of two opposite vectors suffices: the first non-zero difference is positive.
  const int64_t first = -floorQuotient(axis.inner + offset, axis.stride);
  const int64_t last = std::min(axis.steps, floorQuotient(axis.inner - offset, axis.stride));
  for (int64_t difference = std::max(first, differs ? -axis.steps : 0); difference <= last;
       ++difference) {
    const int64_t sum = offset + difference * axis.stride;
    if (differenceVanishes(axes.subspan(1), sum, differs || difference != 0)) return true;
  }
  return false;
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
  const auto span = addressSpan(tensor);
  const auto minimum = minimumTotalBytes(tensor);
  const auto strides = elementStrides(tensor);
  if (!span || !minimum || *minimum > tensor.totalBytes || *span > kMostSpan) return false;
  if (tensor.sizes.size() > kMostAxes) return false;
  const auto count = elementCount(tensor.sizes);
  if (!count || *count > *span) return true;  // more elements than addresses

  std::vector<Axis> axes;
  for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
    if (tensor.sizes[axis] < 2) continue;
    if ((*strides)[axis] == 0) return true;
    axes.push_back({static_cast<int64_t>((*strides)[axis]), int64_t{tensor.sizes[axis]} - 1, 0});
  }
  std::ranges::sort(axes, std::greater{}, &Axis::stride);
  for (size_t i = axes.size(); i-- > 1;) {
    axes[i - 1].inner = axes[i].inner + axes[i].stride * axes[i].steps;
  }
  return differenceVanishes(axes, 0, false);
}

}  // namespace dmlcts

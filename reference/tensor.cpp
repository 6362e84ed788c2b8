#include "reference/tensor.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
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
// signed 64-bit number.
constexpr uint64_t kMostSpan = UINT32_MAX;
// DirectML's limit (DML_TENSOR_DIMENSION_COUNT_MAX1).
constexpr size_t kMostAxes = 8;

struct Axis {
  int64_t stride;
  int64_t steps;   // size - 1
  int64_t inner;   // highest offset that the axes behind this one reach together
  int64_t common;  // divides all offsets that this axis and those behind it reach
  // Differences that leave the axes behind this one a multiple of their common divisor are
  // `period` apart; `inverse` finds the first.
  int64_t period;
  int64_t inverse;
};

int64_t floorQuotient(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
int64_t remainder(int64_t a, int64_t b) { return a - floorQuotient(a, b) * b; }

// Returns the x in [0, modulus) with factor * x = 1 modulo `modulus`, by Euclid's algorithm.
// Requires coprime numbers.
int64_t inverse(int64_t factor, int64_t modulus) {
  int64_t before = modulus, now = factor % modulus;
  int64_t xBefore = 0, x = 1;  // factor * x = now, modulo `modulus`
  while (now != 0) {
    const int64_t quotient = before / now;
    before = std::exchange(now, before - quotient * now);
    xBefore = std::exchange(x, xBefore - quotient * x);
  }
  return remainder(xBefore, modulus);
}

// Searches for two different elements that share an address: a non-zero vector of coordinate
// differences whose product with the strides is 0.
class OverlapSearch {
 public:
  // Requires strides and steps of at least 1.
  explicit OverlapSearch(std::vector<Axis> axes) : axes_(std::move(axes)) {
    std::ranges::sort(axes_, std::greater{}, &Axis::stride);
    int64_t inner = 0;
    int64_t divisor = 0;
    for (size_t i = axes_.size(); i-- > 0;) {
      Axis& axis = axes_[i];
      axis.inner = inner;
      axis.common = std::gcd(axis.stride, divisor);
      axis.period = std::max(divisor / axis.common, int64_t{1});
      axis.inverse = inverse(axis.stride / axis.common, axis.period);
      inner += axis.stride * axis.steps;
      divisor = axis.common;
    }
  }

  std::optional<bool> found() {
    const bool vanishes = differenceVanishes(0, 0, false);
    if (steps_ > kMostOverlapSteps) return std::nullopt;
    return vanishes;
  }

 private:
  // Tries axis by axis, longest stride first, the differences that the later axes can still cancel.
  // `offset` is the product so far; `differs` is true once a difference is not 0.
  bool differenceVanishes(size_t depth, int64_t offset, bool differs) {
    if (++steps_ > kMostOverlapSteps) return false;
    if (depth == axes_.size()) return offset == 0 && differs;
    const Axis& axis = axes_[depth];
    // One of two opposite vectors suffices: the first non-zero difference is positive.
    int64_t first = std::max(-floorQuotient(axis.inner + offset, axis.stride),
                             differs ? -axis.steps : int64_t{0});
    const int64_t last = std::min(axis.steps, floorQuotient(axis.inner - offset, axis.stride));
    if (offset % axis.common != 0) return false;
    const auto wanted = static_cast<uint64_t>(remainder(-offset / axis.common, axis.period));
    const uint64_t solution =
        wanted * static_cast<uint64_t>(axis.inverse) % static_cast<uint64_t>(axis.period);
    first += remainder(static_cast<int64_t>(solution) - first, axis.period);
    for (int64_t difference = first; difference <= last; difference += axis.period) {
      const int64_t sum = offset + difference * axis.stride;
      if (differenceVanishes(depth + 1, sum, differs || difference != 0)) return true;
    }
    return false;
  }

  std::vector<Axis> axes_;
  uint64_t steps_ = 0;
};

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

std::optional<bool> elementsOverlap(const TensorDesc& tensor) {
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
    axes.push_back(
        {static_cast<int64_t>((*strides)[axis]), int64_t{tensor.sizes[axis]} - 1, 0, 0, 0, 0});
  }
  return OverlapSearch(std::move(axes)).found();
}

}  // namespace dmlcts

#include "gpu/operators/tensor_memory.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

bool addTo(uint64_t& sum, uint64_t value) {
  if (value > kMax - sum) return false;
  sum += value;
  return true;
}

bool multiplyInto(uint64_t& product, uint64_t factor) {
  if (factor != 0 && product > kMax / factor) return false;
  product *= factor;
  return true;
}

// Returns the offset of the last element, in elements; empty if it exceeds 64 bits.
std::optional<uint64_t> lastElement(const TensorDesc& tensor) {
  uint64_t last = 0;
  uint64_t packed = 1;
  for (size_t i = tensor.sizes.size(); i-- > 0;) {
    const uint64_t size = tensor.sizes[i];
    uint64_t reach = size - 1;
    if (!multiplyInto(reach, tensor.strides ? (*tensor.strides)[i] : packed)) return std::nullopt;
    if (!addTo(last, reach)) return std::nullopt;
    if (!tensor.strides && !multiplyInto(packed, size)) return std::nullopt;
  }
  return last;
}

// A dimension whose coordinates can differ between two elements.
struct Step {
  int64_t stride;
  int64_t most;         // largest difference of coordinates
  int64_t reach = 0;    // largest sum of the later steps
  int64_t divisor = 0;  // divides every sum of the later steps
};

int64_t floorQuotient(int64_t a, int64_t b) { return (a - (a % b + b) % b) / b; }

// Returns a number that `factor` multiplies to 1 modulo `modulus`. Requires coprime numbers.
int64_t reciprocal(int64_t factor, int64_t modulus) {
  if (factor == 1 || modulus == 1) return 1;
  return modulus - (modulus * reciprocal(modulus % factor, factor) - 1) / factor;
}

// Searches non-zero differences of coordinates whose addresses differ by 0. `steps` are by
// descending stride.
class CollisionSearch {
 public:
  explicit CollisionSearch(std::vector<Step> steps) : steps_(std::move(steps)) {
    for (size_t i = steps_.size(); i-- > 1;) {
      const Step& step = steps_[i];
      steps_[i - 1].reach = step.reach + step.stride * step.most;
      steps_[i - 1].divisor = std::gcd(step.divisor, step.stride);
    }
  }

  // Also true where the search is too long.
  bool found() { return cancels(0, 0, false); }

 private:
  // Four times the oracle's limit, in the same order: decides whatever the oracle decides.
  static constexpr uint64_t kMostTried = 1 << 22;

  // True if the steps from i on can cancel `sum`; `moved` unless all steps so far are 0.
  bool cancels(size_t i, int64_t sum, bool moved) {
    if (++tried_ > kMostTried) return true;
    if (i == steps_.size()) return sum == 0 && moved;
    const auto [stride, most, reach, divisor] = steps_[i];
    const int64_t common = std::gcd(stride, divisor);
    if (sum % common != 0) return false;
    // The counts that leave less than `reach`; the first one that is not 0 may be taken as
    // positive.
    int64_t count = std::max(-floorQuotient(sum + reach, stride), moved ? -most : 0);
    const int64_t last = std::min(most, floorQuotient(reach - sum, stride));
    // Only every `period`-th count leaves a multiple of what the later steps can produce.
    const int64_t period = divisor == 0 ? 1 : divisor / common;
    if (period > 1) {
      const int64_t target = (period - sum / common % period) % period;
      const int64_t fitting = target * reciprocal(stride / common % period, period) % period;
      count += ((fitting - count) % period + period) % period;
    }
    for (; count <= last; count += period) {
      if (cancels(i + 1, sum + count * stride, moved || count != 0)) return true;
    }
    return false;
  }

  std::vector<Step> steps_;
  uint64_t tried_ = 0;
};

}  // namespace

std::vector<uint64_t> stridesOf(const TensorDesc& tensor) {
  std::vector<uint64_t> strides(tensor.sizes.size());
  uint64_t packed = 1;
  for (size_t i = strides.size(); i-- > 0;) {
    strides[i] = tensor.strides ? (*tensor.strides)[i] : packed;
    if (tensor.sizes[i] == 1) strides[i] = 0;
    packed *= tensor.sizes[i];
  }
  return strides;
}

std::optional<uint64_t> elementCount(const TensorDesc& tensor) {
  uint64_t count = 1;
  for (uint32_t size : tensor.sizes) {
    if (!multiplyInto(count, size)) return std::nullopt;
  }
  return count;
}

uint64_t spanBytes(const TensorDesc& tensor) {
  return (lastElement(tensor).value_or(0) + 1) * info(tensor.type).bytes;
}

bool elementsOverlap(const std::vector<uint32_t>& sizes, const std::vector<uint64_t>& strides) {
  std::vector<Step> steps;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    if (strides[i] == 0) return true;
    steps.push_back({static_cast<int64_t>(strides[i]), int64_t{sizes[i]} - 1});
  }
  std::sort(steps.begin(), steps.end(),
            [](const Step& a, const Step& b) { return a.stride > b.stride; });

  // Nearly every real layout nests: each stride exceeds everything within it.
  int64_t within = 0;
  bool nested = true;
  for (size_t i = steps.size(); i-- > 0;) {
    nested = nested && steps[i].stride > within;
    within += steps[i].stride * steps[i].most;
  }
  if (nested) return false;

  // More elements than addresses must collide.
  uint64_t count = 1;
  for (uint32_t size : sizes) {
    if (!multiplyInto(count, size)) return true;
  }
  if (count - 1 > static_cast<uint64_t>(within)) return true;
  return CollisionSearch(std::move(steps)).found();
}

bool validBuffer(const TensorDesc& tensor, Access access) {
  const uint64_t bytes = info(tensor.type).bytes;
  if (bytes == 0) return false;
  if (tensor.sizes.empty() || tensor.sizes.size() > 8) return false;
  if (std::find(tensor.sizes.begin(), tensor.sizes.end(), 0u) != tensor.sizes.end()) return false;
  if (tensor.strides && tensor.strides->size() != tensor.sizes.size()) return false;

  const std::optional<uint64_t> last = lastElement(tensor);
  if (!last) return false;
  uint64_t end = *last;
  if (!addTo(end, 1) || !multiplyInto(end, bytes) || !addTo(end, 3)) return false;
  if (tensor.totalBytes < end / 4 * 4) return false;
  if (tensor.totalBytes > uint64_t{UINT32_MAX} * bytes) return false;  // the limit is in elements

  const uint32_t alignment = tensor.baseOffsetAlignment;
  if (alignment != 0 && ((alignment & (alignment - 1)) != 0 || alignment < bytes)) return false;
  if (access != Access::Read && (tensor.flags & kOwnedByDml)) return false;

  return access == Access::Read || !elementsOverlap(tensor.sizes, stridesOf(tensor));
}

}  // namespace dmlcts::gpu

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
  uint64_t stride;
  uint64_t most;  // largest difference of coordinates
};

// Searches non-zero differences of coordinates whose addresses differ by 0. `steps` are by
// descending stride. `reach[i]` is the largest sum of the steps from i on; `divisor[i]` divides
// every such sum.
class CollisionSearch {
 public:
  explicit CollisionSearch(std::vector<Step> steps) : steps_(std::move(steps)) {
    reach_.assign(steps_.size() + 1, 0);
    divisor_.assign(steps_.size() + 1, 0);
    for (size_t i = steps_.size(); i-- > 0;) {
      reach_[i] = reach_[i + 1] + steps_[i].stride * steps_[i].most;
      divisor_[i] = std::gcd(divisor_[i + 1], steps_[i].stride);
    }
  }

  bool found() const {
    // The first non-zero difference may be taken as positive.
    for (size_t first = 0; first < steps_.size(); ++first) {
      const uint64_t stride = steps_[first].stride;
      const uint64_t most = std::min(steps_[first].most, reach_[first + 1] / stride);
      const uint64_t period = periodOf(first);
      for (uint64_t difference = period; difference <= most; difference += period) {
        if (cancels(first + 1, difference * stride)) return true;
      }
    }
    return false;
  }

 private:
  // True if the steps from i on can cancel `sum`.
  bool cancels(size_t i, uint64_t sum) const {
    if (sum == 0) return true;
    if (sum > reach_[i] || sum % divisor_[i] != 0) return false;
    const uint64_t stride = steps_[i].stride;
    if (i + 1 == steps_.size()) return sum / stride <= steps_[i].most;
    // Takes this step `count` times towards 0; the others must be able to cancel the rest.
    const uint64_t rest = reach_[i + 1];
    uint64_t count = sum > rest ? (sum - rest + stride - 1) / stride : 0;
    const uint64_t most = std::min(steps_[i].most, (sum + rest) / stride);
    // Only remainders that the other strides can produce are worth trying: the first such count,
    // and then every period.
    const uint64_t divisor = divisor_[i + 1];
    const uint64_t period = periodOf(i);
    uint64_t tried = 0;
    while (count <= most && tried < period && left(sum, count * stride) % divisor != 0) {
      ++count;
      ++tried;
    }
    if (tried == period) return false;
    for (; count <= most; count += period) {
      if (cancels(i + 1, left(sum, count * stride))) return true;
      if (most - count < period) break;
    }
    // Steps away from 0 may also succeed.
    const uint64_t away = sum <= rest ? std::min(steps_[i].most, (rest - sum) / stride) : 0;
    for (uint64_t back = 1; back <= away; ++back) {
      const uint64_t total = sum + back * stride;
      if (total % divisor == 0 && cancels(i + 1, total)) return true;
    }
    return false;
  }

  // Returns the number of steps after which their remainder, modulo the later steps' divisor,
  // repeats.
  uint64_t periodOf(size_t i) const {
    const uint64_t divisor = divisor_[i + 1];
    return divisor == 0 ? 1 : divisor / std::gcd(divisor, steps_[i].stride);
  }

  static uint64_t left(uint64_t sum, uint64_t taken) {
    return sum > taken ? sum - taken : taken - sum;
  }

  std::vector<Step> steps_;
  std::vector<uint64_t> reach_;
  std::vector<uint64_t> divisor_;
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

bool elementsOverlap(const std::vector<uint32_t>& sizes, const std::vector<uint64_t>& strides) {
  std::vector<Step> steps;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    if (strides[i] == 0) return true;
    steps.push_back({strides[i], sizes[i] - uint64_t{1}});
  }
  std::sort(steps.begin(), steps.end(),
            [](const Step& a, const Step& b) { return a.stride > b.stride; });

  // Nearly every real layout nests: each stride exceeds everything within it.
  uint64_t within = 0;
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
  if (count - 1 > within) return true;
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

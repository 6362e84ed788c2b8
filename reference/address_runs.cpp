#include "reference/address_runs.h"

#include <functional>

#include "reference/tensor.h"

namespace dmlcts {

AddressRuns::AddressRuns(const TensorDesc& tensor) {
  const std::vector<uint64_t> strides = elementStrides(tensor).value();
  uint64_t weight = 1;
  for (size_t i = tensor.sizes.size(); i-- > 0;) {
    const Axis axis{tensor.sizes[i], strides[i], weight, 0};
    weight *= axis.size;
    if (axis.size == 1) continue;
    // Merges an axis with the one behind it if that one continues without a gap.
    if (!inOrder_.empty() && inOrder_.front().stride != 0 &&
        axis.stride == inOrder_.front().stride * inOrder_.front().size) {
      inOrder_.front().size *= axis.size;
      continue;
    }
    inOrder_.insert(inOrder_.begin(), axis);
  }
  for (const Axis& axis : inOrder_) {
    (axis.stride == 0 ? repeats_ : axes_).push_back(axis);
    if (axis.stride == 0) repeated_ += (axis.size - 1) * axis.weight;
  }
  std::ranges::stable_sort(axes_, std::greater{}, &Axis::stride);
  for (size_t i = axes_.size(); i-- > 1;) {
    axes_[i - 1].reach = axes_[i].reach + axes_[i].stride * (axes_[i].size - 1);
  }
}

uint64_t AddressRuns::lastAtSameAddress(uint64_t element) const {
  for (const Axis& axis : repeats_) {
    element += (axis.size - 1 - element / axis.weight % axis.size) * axis.weight;
  }
  return element;
}

uint64_t AddressRuns::addressOf(uint64_t element) const {
  uint64_t address = 0;
  for (const Axis& axis : inOrder_) address += element / axis.weight % axis.size * axis.stride;
  return address;
}

}  // namespace dmlcts

#include "bench/work_list.h"

#include <algorithm>

namespace dmlcts::bench {
namespace {

constexpr uint32_t kBufferAlignment = 256;

}  // namespace

void WorkList::add(std::string name, Descriptor descriptor, Fill values, IndexKind order) {
  const bool known = std::ranges::any_of(works_, [&](const Work& w) { return w.name == name; });
  if (known) return;
  Work work{std::move(name), {}};
  work.testCase.descriptor = std::move(descriptor);
  work.testCase.fill = std::move(values);
  work.testCase.index = index(order);
  work.testCase.seed = 1;
  // Places buffers as applications do: rows of 64 bytes are then those of memory.
  const size_t slots = tensors(work.testCase.descriptor).size();
  std::fill_n(work.testCase.offsets.begin(), slots, kBufferAlignment);
  works_.push_back(std::move(work));
}

Sizes powerSizes(uint32_t exponent, uint32_t rank) {
  Sizes sizes;
  for (uint32_t axis = 0; axis < rank; ++axis) {
    sizes.push_back(uint32_t{1} << (exponent / rank + (axis >= rank - exponent % rank ? 1 : 0)));
  }
  return sizes;
}

}  // namespace dmlcts::bench

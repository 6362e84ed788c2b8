#include "conformance/run/neighbours.h"

#include <algorithm>

#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {

void Neighbours::add(Case candidate) {
  if (candidate == from_) return;
  const auto broken = check(candidate.descriptor, candidate.level);
  const bool asValid =
      candidate.expect == Expect::Reject
          ? !broken.empty() && std::ranges::all_of(broken,
                                                   [&](const BrokenRule& each) {
                                                     return each.rule->id == candidate.rejectBy;
                                                   })
          : broken.empty() && !inputProblem(candidate);
  if (asValid) found_.push_back(std::move(candidate));
}

void pack(TensorDesc& tensor) {
  tensor.strides.reset();
  tensor.totalBytes = minimumTotalBytes(tensor).value_or(0);
}

std::vector<uint32_t> smallerSizes(uint32_t size) {
  std::vector<uint32_t> sizes;
  for (uint32_t smaller : {1u, 2u, size / 4, size / 2, size - size / 4, size - 1}) {
    if (smaller >= 1 && smaller < size && std::ranges::find(sizes, smaller) == sizes.end()) {
      sizes.push_back(smaller);
    }
  }
  std::ranges::sort(sizes);
  return sizes;
}

bool dropLeading(TensorDesc& tensor) {
  if (tensor.sizes.size() < 2 || tensor.sizes.front() != 1) return false;
  tensor.sizes.erase(tensor.sizes.begin());
  return true;
}

}  // namespace dmlcts

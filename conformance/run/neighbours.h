#pragma once

#include <functional>
#include <vector>

#include "conformance/cases/case.h"

// What operators build the simpler neighbours of a case from (operators.h).

namespace dmlcts {

// Collects neighbours that are as valid as the case they come from.
class Neighbours {
 public:
  explicit Neighbours(const Case& from) : from_(from) {}

  void add(Case candidate);

  // The case with one change made to a copy of its descriptor.
  template <typename Op>
  void addChanged(const std::function<bool(Op&)>& change) {
    Case candidate = from_;
    if (change(std::get<Op>(candidate.descriptor))) add(std::move(candidate));
  }

  std::vector<Case> take() { return std::move(found_); }

 private:
  const Case& from_;
  std::vector<Case> found_;
};

// Packed, with the smallest total size.
void pack(TensorDesc& tensor);

// Smaller values for a size, smallest first.
std::vector<uint32_t> smallerSizes(uint32_t size);

// One dimension fewer in front, where that is of size 1.
bool dropLeading(TensorDesc& tensor);

}  // namespace dmlcts

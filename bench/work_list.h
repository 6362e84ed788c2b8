#pragma once

#include "bench/work.h"
#include "conformance/cases/families/build.h"

// What operators build their works from (operators.h).

namespace dmlcts::bench {

class WorkList {
 public:
  explicit WorkList(Set set) : set_(set) {}

  Set set() const { return set_; }
  bool quick() const { return set_ == Set::Quick; }

  // `name`: see Work. A work of a name that is there is left out: two sweeps meet.
  void add(std::string name, Descriptor descriptor, Fill values, IndexKind order);

  std::vector<Work> take() { return std::move(works_); }

 private:
  Set set_;
  std::vector<Work> works_;
};

// 2^exponent elements, as evenly as powers of 2 allow, the longest dimensions last.
Sizes powerSizes(uint32_t exponent, uint32_t rank);

}  // namespace dmlcts::bench

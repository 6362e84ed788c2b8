#pragma once

#include "bench/work.h"
#include "conformance/language/build.h"

// Collects the benchmarks that operators add (operators.h).

namespace dmlcts::bench {

class WorkList {
 public:
  explicit WorkList(Set set) : set_(set) {}

  Set set() const { return set_; }
  bool quick() const { return set_ == Set::Quick; }

  // `name`: see Work. Skips a name already present, since sweeps overlap.
  void add(std::string name, Descriptor descriptor, Fill values, IndexKind order);

  std::vector<Work> take() { return std::move(works_); }

 private:
  Set set_;
  std::vector<Work> works_;
};

// Returns sizes with 2^exponent elements, split as evenly as powers of 2 allow, longest dimensions
// last.
Sizes powerSizes(uint32_t exponent, uint32_t rank);

}  // namespace dmlcts::bench

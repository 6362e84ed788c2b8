#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "reference/descriptor.h"
#include "reference/level.h"

namespace dmlcts {

// Ways to break one rule, and nothing else, in an otherwise valid descriptor.
struct Broken {
  std::string_view rule;
  std::vector<Descriptor> variants;  // at least one
};

// Builds the variants of one rule, each from a fresh copy of the control.
template <class Operator>
class BrokenVariants {
 public:
  BrokenVariants(std::string_view rule, const Operator& control)
      : broken_{rule, {}}, control_(control) {}

  template <class Change>
  BrokenVariants& add(const Change& change) {
    Operator wrong = control_;
    change(wrong);
    broken_.variants.emplace_back(std::move(wrong));
    return *this;
  }

  // Nothing where the rule cannot be broken.
  void addTo(std::vector<Broken>& all) {
    if (!broken_.variants.empty()) all.push_back(std::move(broken_));
  }

 private:
  Broken broken_;
  const Operator& control_;
};

// A valid descriptor, and all rules that can be broken in it at that level without changing the
// data type or DimensionCount of its input. Rules for which that is impossible are left out; why
// is said where they are. Operators give two for a cell (family_parts.h): one that uses all its
// dimensions, one that leaves some of them at 1.
struct BreakableDescriptor {
  Descriptor control;
  std::vector<Broken> broken;
};

// The two of a cell.
inline std::vector<BreakableDescriptor> bothOf(BreakableDescriptor first,
                                               BreakableDescriptor second) {
  std::vector<BreakableDescriptor> both;
  both.push_back(std::move(first));
  both.push_back(std::move(second));
  return both;
}

// The rules of DML_BUFFER_TENSOR_DESC that concern total sizes, alignments and flags, broken in
// each tensor of the descriptor in turn.
std::vector<Broken> brokenBuffers(const Descriptor& control);

}  // namespace dmlcts

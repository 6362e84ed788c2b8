#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "reference/descriptor.h"
#include "reference/level.h"

namespace dmlcts {

// Variants that break one rule, and nothing else, in an otherwise valid descriptor.
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

  // Adds nothing if the rule cannot be broken.
  void addTo(std::vector<Broken>& all) {
    if (!broken_.variants.empty()) all.push_back(std::move(broken_));
  }

 private:
  Broken broken_;
  const Operator& control_;
};

// A valid descriptor, and all rules that can be broken in it at that level without changing its
// input's data type or DimensionCount. Comments in the .cpp files say why other rules are left out.
// Operators give two per cell (family_parts.h): one uses all dimensions, one leaves some at 1.
struct BreakableDescriptor {
  Descriptor control;
  std::vector<Broken> broken;
};

inline std::vector<BreakableDescriptor> bothOf(BreakableDescriptor first,
                                               BreakableDescriptor second) {
  std::vector<BreakableDescriptor> both;
  both.push_back(std::move(first));
  both.push_back(std::move(second));
  return both;
}

// Breaks the rules of DML_BUFFER_TENSOR_DESC about total sizes, alignments and flags, in each
// tensor in turn.
std::vector<Broken> brokenBuffers(const Descriptor& control);

}  // namespace dmlcts

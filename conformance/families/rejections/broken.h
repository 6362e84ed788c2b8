#pragma once

#include <algorithm>
#include <initializer_list>
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

// A valid descriptor, and all rules that can be broken in it at that level without changing its
// input's data type or DimensionCount. Comments in the .cpp files say why other rules are left out.
// Operators give two per cell (family_parts.h): one uses all dimensions, one leaves some at 1.
struct BreakableDescriptor {
  Descriptor control;
  std::vector<Broken> broken;
};

// Breaks the rules of DML_BUFFER_TENSOR_DESC about total sizes, alignments and flags, in each
// tensor in turn.
std::vector<Broken> brokenBuffers(const Descriptor& control);

// Builds the variants of a control, each from a fresh copy.
template <class Operator>
class Breaks {
 public:
  explicit Breaks(const Operator& control) : control_(control), all_(brokenBuffers(control)) {}

  // Rules keep the order in which they are first named.
  template <class Change>
  void add(std::string_view rule, const Change& change) {
    Operator wrong = control_;
    change(wrong);
    variantsOf(rule).emplace_back(std::move(wrong));
  }

  void inOrder(std::initializer_list<std::string_view> rules) {
    for (std::string_view rule : rules) variantsOf(rule);
  }

  // Leaves out the rules that cannot be broken.
  BreakableDescriptor descriptor() && {
    std::erase_if(all_, [](const Broken& broken) { return broken.variants.empty(); });
    return {control_, std::move(all_)};
  }

 private:
  std::vector<Descriptor>& variantsOf(std::string_view rule) {
    const auto found = std::ranges::find(all_, rule, &Broken::rule);
    return (found == all_.end() ? all_.emplace_back(Broken{rule, {}}) : *found).variants;
  }

  const Operator& control_;
  std::vector<Broken> all_;
};

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <set>

#include "conformance/inputs/choices.h"
#include "conformance/language/build.h"

// Smaller sizes, for the operators' simpler neighbours.

namespace dmlcts {

inline constexpr uint64_t kMostPlainElements = 1u << 25;

// Returns smaller sizes, smallest first: around boundaries and large powers of two, which single
// steps would reach slowly; half, quarter and similar.
inline std::set<uint32_t> smallerSizes(uint32_t size) {
  std::set<uint32_t> smaller{1, 2, size / 4, size - 1};
  for (uint32_t less = size / 2; less > 0; less /= 2) smaller.insert(size - less);
  if (size >= 16) {
    for (uint32_t boundary : kBoundaries) smaller.insert({boundary, boundary + 1});
    for (uint64_t power = 1u << 17; power < size; power *= 2) {
      smaller.insert(static_cast<uint32_t>(power + 1));
    }
  }
  smaller.erase(0);
  smaller.erase(smaller.lower_bound(size), smaller.end());
  return smaller;
}

// Calls add(sizes, axis) with one size made smaller.
template <class Add>
void forSmaller(const Sizes& sizes, const Add& add) {
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    for (uint32_t size : smallerSizes(sizes[axis])) add(withSize(sizes, axis, size), axis);
  }
}

// Calls add(sizes, axis) with one dimension of size 1 removed.
template <class Add>
void forFewer(const Sizes& sizes, const Add& add) {
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] != 1) continue;
    Sizes fewer = sizes;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(axis));
    add(fewer, axis);
  }
}

}  // namespace dmlcts

#pragma once

#include <cstdint>

#include "conformance/cases/families/build.h"
#include "fuzz/shapes.h"

// Steps from sizes to smaller ones, for the operators' plainer shapes.

namespace dmlcts {

inline constexpr uint64_t kMostPlainElements = 1u << 25;

inline constexpr uint32_t kWorthJumping = 16;  // smaller sizes are reached by single steps

// The numbers next to boundaries, and to large powers of two, that are smaller than the size.
inline std::vector<uint32_t> boundariesBelow(uint32_t size) {
  std::vector<uint32_t> smaller;
  for (uint32_t boundary : kBoundaries) {
    for (uint32_t next : {boundary, boundary + 1}) {
      if (next < size && (smaller.empty() || smaller.back() < next)) smaller.push_back(next);
    }
  }
  for (uint64_t power = 1u << 17; power < size; power *= 2) {
    if (power + 1 < size) smaller.push_back(static_cast<uint32_t>(power + 1));
  }
  return smaller;
}

template <class Add>
void forSmaller(const Sizes& sizes, const Add& add) {
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] < kWorthJumping) continue;
    for (uint32_t size : boundariesBelow(sizes[axis])) add(withSize(sizes, axis, size));
    for (uint32_t less = sizes[axis] / 2; less > 0; less /= 2) {
      add(withSize(sizes, axis, sizes[axis] - less));
    }
  }
}

// Without one of the dimensions of size 1; `add` is told which.
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

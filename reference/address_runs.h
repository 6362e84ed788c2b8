#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "reference/descriptor.h"

// Finds a tensor's elements in one part of its memory, for tensors too large to visit as a whole.

namespace dmlcts {

// Equally spaced elements, in ascending address order.
struct AddressRun {
  uint64_t element;  // index of the first, row-major
  uint64_t step;     // from one index to the next
  uint64_t address;  // of the first, in elements from the tensor's start
  uint64_t stride;   // from one address to the next, in elements; not 0
  uint64_t count;    // not 0
};

// The memory layout of a tensor's elements. Elements that share an address (stride 0) count once:
// only the last one in row-major order, whose write survives, exists.
class AddressRuns {
 public:
  // Requires a valid tensor without sizes of 0 (elementStrides() in tensor.h).
  explicit AddressRuns(const TensorDesc& tensor);

  // Calls visit(AddressRun) for all elements with addresses in [first, end), in elements from the
  // tensor's start. Slower where addresses of different axes interleave; fast for packed, permuted,
  // padded and stepped tensors.
  template <class Visit>
  void within(uint64_t first, uint64_t end, const Visit& visit) const {
    if (first < end) walk(0, {0, 0}, first, end, visit);
  }

  // Returns the index of the element that survives at this element's address.
  uint64_t lastAtSameAddress(uint64_t element) const;

  // Returns an element's address, in elements.
  uint64_t addressOf(uint64_t element) const;

 private:
  struct Axis {
    uint64_t size;
    uint64_t stride;  // in elements
    uint64_t weight;  // index step per coordinate
    uint64_t reach;   // highest address that the axes behind it add
  };
  struct Place {
    uint64_t element;
    uint64_t address;
  };

  template <class Visit>
  void walk(size_t depth, Place at, uint64_t first, uint64_t end, const Visit& visit) const {
    if (depth == axes_.size()) {  // a tensor of one element
      if (at.address >= first && at.address < end) {
        visit(AddressRun{at.element + repeated_, 1, at.address, 1, 1});
      }
      return;
    }
    const Axis& axis = axes_[depth];
    if (end <= at.address) return;
    // Skips coordinates whose elements all lie outside [first, end).
    const uint64_t reached = at.address + axis.reach;
    const uint64_t low = first > reached ? (first - reached + axis.stride - 1) / axis.stride : 0;
    const uint64_t high = std::min(axis.size, (end - 1 - at.address) / axis.stride + 1);
    if (low >= high) return;
    if (depth + 1 == axes_.size()) {
      visit(AddressRun{at.element + low * axis.weight + repeated_, axis.weight,
                       at.address + low * axis.stride, axis.stride, high - low});
      return;
    }
    for (uint64_t coordinate = low; coordinate < high; ++coordinate) {
      walk(depth + 1,
           {at.element + coordinate * axis.weight, at.address + coordinate * axis.stride}, first,
           end, visit);
    }
  }

  std::vector<Axis> axes_;     // with a stride, by descending stride
  std::vector<Axis> repeats_;  // with stride 0
  std::vector<Axis> inOrder_;  // all, outermost first
  uint64_t repeated_ = 0;      // index offset of the last coordinates of repeats_
};

}  // namespace dmlcts

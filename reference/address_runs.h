#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "reference/descriptor.h"

// Which elements of a tensor lie in a part of its memory: for tensors too large to be looked at as
// a whole.

namespace dmlcts {

// Elements that are equally far apart, in the order of ascending addresses.
struct AddressRun {
  uint64_t element;  // index of the first, row-major
  uint64_t step;     // from one index to the next
  uint64_t address;  // of the first, in elements from the tensor's start
  uint64_t stride;   // from one address to the next, in elements; not 0
  uint64_t count;    // not 0
};

// How a tensor's elements lie in memory. Of elements that share an address because an axis has a
// stride of 0, only the last exists: the one that an ascending walk writes last.
class AddressRuns {
 public:
  // Requires a valid tensor without sizes of 0 (elementStrides() in tensor.h).
  explicit AddressRuns(const TensorDesc& tensor);

  // Calls visit(AddressRun) for all elements whose addresses are in [first, end), in elements from
  // the tensor's start. Fast where the addresses of each axis' steps lie apart from those of the
  // others (packed, permuted, padded, stepped); else right, and slower.
  template <class Visit>
  void within(uint64_t first, uint64_t end, const Visit& visit) const {
    if (first < end) walk(0, {0, 0}, first, end, visit);
  }

  // The index of the element that exists at the address of this one.
  uint64_t lastAtSameAddress(uint64_t element) const;

  // The address of an element, in elements.
  uint64_t addressOf(uint64_t element) const;

 private:
  struct Axis {
    uint64_t size;
    uint64_t stride;  // in elements
    uint64_t weight;  // from one coordinate's index to the next's
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
    // Coordinates from which something can lie in the part.
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

  std::vector<Axis> axes_;     // that move the address, by descending stride
  std::vector<Axis> repeats_;  // of stride 0
  std::vector<Axis> inOrder_;  // all, outermost first
  uint64_t repeated_ = 0;      // what the last coordinates of repeats_ add to an index
};

}  // namespace dmlcts

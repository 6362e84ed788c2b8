#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "conformance/language/fill.h"
#include "conformance/language/hash.h"
#include "reference/descriptor.h"

namespace dmlcts {

// The elements that an IndexFill puts into an indices tensor. A pure function of fill, type,
// indexed dimensions, seed and element index.
class IndexElements {
 public:
  // `dimensions`: the sizes of the input dimensions that a tuple indexes, none of them 0.
  IndexElements(const IndexFill& fill, DataType type, std::vector<uint32_t> dimensions,
                uint64_t seed);

  // Returns the bits of one element (tuple * tuple size + coordinate), below `bound`. `bound` may
  // be smaller than the dimension if elements share an address.
  uint64_t bits(uint64_t element, uint64_t bound) const;

  // Writes the bits of elements first, first + step, first + 2 * step, …, each below its dimension
  // and below `most`.
  void write(uint64_t first, uint64_t step, uint64_t most, std::span<uint64_t> bits) const {
    for (uint64_t& each : bits) {
      each = this->bits(first, std::min<uint64_t>(most, dimension(first)));
      first += step;
    }
  }

  uint32_t dimension(uint64_t element) const { return dimensions_[element % dimensions_.size()]; }

 private:
  uint64_t unraveled(uint64_t position, uint64_t axis) const;

  const IndexFill& fill_;
  DataType type_;
  std::vector<uint32_t> dimensions_;
  uint64_t positions_ = 1;  // distinct tuples, 2^63 at most
  Stream indices_;
  Stream signs_;
};

}  // namespace dmlcts

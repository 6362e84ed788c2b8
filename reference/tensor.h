#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/descriptor.h"

// The geometry of a tensor: how many elements, where each lies. All arithmetic is in 64 bits;
// where a number does not fit, the function returns nothing rather than a wrapped number.

namespace dmlcts {

// Product of the sizes.
std::optional<uint64_t> elementCount(std::span<const uint32_t> sizes);

// Elements between neighbours along each dimension: the descriptor's own strides, or row-major
// packed ones where it has none (DML_BUFFER_TENSOR_DESC, Strides).
std::optional<std::vector<uint64_t>> elementStrides(const TensorDesc& tensor);

// The smallest legal TotalTensorSizeInBytes: the end of the element with the highest address,
// rounded up to 4 (DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes). 0 for a tensor with no
// elements.
std::optional<uint64_t> minimumTotalBytes(const TensorDesc& tensor);

// DimensionCount without the leading dimensions of size 1 (NONZERO_COORDINATES,
// OutputCoordinatesTensor).
uint32_t effectiveRank(std::span<const uint32_t> sizes);

// Whether two different elements lie at the same address. Exact, and needs no memory to speak of.
// Tensors that break other rules anyway (addresses beyond totalBytes or 2^32 - 1 elements, more
// than 8 dimensions) are not examined: they count as not overlapping.
bool elementsOverlap(const TensorDesc& tensor);

// Counts through all coordinates of a tensor in ascending element index, that is, with the last
// dimension fastest, and keeps the address of the current element. Requires sizes without 0 and
// addresses that fit 64 bits.
class ElementWalk {
 public:
  ElementWalk(std::span<const uint32_t> sizes, std::span<const uint64_t> strides)
      : sizes_(sizes), strides_(strides), coordinate_(sizes.size(), 0) {}

  std::span<const uint32_t> coordinate() const { return coordinate_; }
  uint64_t offset() const { return offset_; }  // of the current element, in elements

  // To the next element; false when the current one was the last.
  bool next() {
    for (size_t axis = sizes_.size(); axis-- > 0;) {
      if (coordinate_[axis] + 1 < sizes_[axis]) {
        coordinate_[axis] += 1;
        offset_ += strides_[axis];
        return true;
      }
      offset_ -= coordinate_[axis] * strides_[axis];
      coordinate_[axis] = 0;
    }
    return false;
  }

 private:
  std::span<const uint32_t> sizes_;
  std::span<const uint64_t> strides_;
  std::vector<uint32_t> coordinate_;
  uint64_t offset_ = 0;
};

}  // namespace dmlcts

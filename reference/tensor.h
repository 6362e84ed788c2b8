#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/descriptor.h"

// The geometry of a tensor: its number of elements and their addresses. Uses 64-bit arithmetic;
// functions return nothing rather than an overflowed number.

namespace dmlcts {

// Returns the product of the sizes.
std::optional<uint64_t> elementCount(std::span<const uint32_t> sizes);

// Returns the stride of each dimension in elements: the descriptor's own, or row-major packed ones
// if it has none (DML_BUFFER_TENSOR_DESC, Strides).
std::optional<std::vector<uint64_t>> elementStrides(const TensorDesc& tensor);

// Returns the smallest legal TotalTensorSizeInBytes: the end of the element with the highest
// address, rounded up to 4 (DML_BUFFER_TENSOR_DESC). 0 for a tensor without elements.
std::optional<uint64_t> minimumTotalBytes(const TensorDesc& tensor);

// Returns DimensionCount less the leading dimensions of size 1 (NONZERO_COORDINATES,
// OutputCoordinatesTensor).
uint32_t effectiveRank(std::span<const uint32_t> sizes);

// Steps of elementsOverlap(), some 50 ms. Only tensors of many interleaving axes need more.
inline constexpr uint64_t kMostOverlapSteps = 1 << 20;

// True if two different elements share an address. Exact, and needs almost no memory; nothing where
// the answer takes more than kMostOverlapSteps. False for tensors that break other rules anyway:
// more than 8 dimensions, or addresses beyond totalBytes or 2^32 - 1 elements.
std::optional<bool> elementsOverlap(const TensorDesc& tensor);

// Visits all coordinates of a tensor in ascending element index (last dimension fastest) and tracks
// the current element's address. Requires non-zero sizes and addresses that fit in 64 bits.
class ElementWalk {
 public:
  ElementWalk(std::span<const uint32_t> sizes, std::span<const uint64_t> strides)
      : sizes_(sizes), strides_(strides), coordinate_(sizes.size(), 0) {}

  std::span<const uint32_t> coordinate() const { return coordinate_; }
  uint64_t offset() const { return offset_; }  // of the current element, in elements

  // Advances to the next element; false if there is none.
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

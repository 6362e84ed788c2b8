#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/descriptor.h"

// Names for the strides that tensors usually have, so that a case string says "perm(1,0)" instead
// of numbers that the reader has to divide.

namespace dmlcts {

enum class LayoutKind : uint8_t {
  Packed,     // packed: row-major, but with the strides spelled out
  Perm,       // perm(axis,…): packed, with the axes in this order in memory, outermost first
  Pad,        // pad(n): rows of the last dimension are n elements longer than its size
  Step,       // step(n): packed, with n - 1 elements of gap between neighbours
  Broadcast,  // broadcast(axis,…): these axes have stride 0, the others are packed
};

struct Layout {
  LayoutKind kind = LayoutKind::Packed;
  std::vector<uint32_t> arguments;

  bool operator==(const Layout&) const = default;
};

// The strides of a tensor with these sizes in that layout. Nothing when the arguments do not fit
// the sizes (an axis named twice or beyond the rank, …) or a stride does not fit 32 bits.
std::optional<std::vector<uint32_t>> layoutStrides(const Layout& layout,
                                                   std::span<const uint32_t> sizes);

// The layout that has exactly these strides: the first in the order of the enumeration, with
// arguments that depend on nothing but sizes and strides. Nothing when there is none.
std::optional<Layout> findLayout(std::span<const uint32_t> sizes,
                                 std::span<const uint32_t> strides);

// Whether each element lies where it would without strides: that these differ from packed ones
// along dimensions of size 1 at most.
bool liesPacked(const TensorDesc& tensor);

std::string_view name(LayoutKind kind);
std::optional<LayoutKind> parseLayoutKind(std::string_view text);

// The tensor with its smallest legal TotalTensorSizeInBytes (0 where there is none).
TensorDesc makeTensor(DataType type, std::vector<uint32_t> sizes,
                      std::optional<std::vector<uint32_t>> strides = std::nullopt);

// The smallest legal TotalTensorSizeInBytes, or 0 when no number is: what a case string leaves out.
uint64_t defaultTotalBytes(const TensorDesc& tensor);

}  // namespace dmlcts

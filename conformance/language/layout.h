#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/descriptor.h"

// Names for common strides: a case string says "perm(1,0)" instead of numbers to work out.

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

// Returns the strides for these sizes. Returns nothing if the arguments do not fit the sizes (an
// axis repeated or beyond the rank, …) or a stride exceeds 32 bits.
std::optional<std::vector<uint32_t>> layoutStrides(const Layout& layout,
                                                   std::span<const uint32_t> sizes);

// Returns the first layout, in enumeration order, with exactly these strides, or nothing. Its
// arguments depend only on sizes and strides.
std::optional<Layout> findLayout(std::span<const uint32_t> sizes,
                                 std::span<const uint32_t> strides);

// True if every element lies where it would without strides, so that only strides of dimensions of
// size 1 differ from packed ones.
bool liesPacked(const TensorDesc& tensor);

std::string_view name(LayoutKind kind);
std::optional<LayoutKind> parseLayoutKind(std::string_view text);

// Builds a tensor with its smallest legal TotalTensorSizeInBytes (0 if there is none).
TensorDesc makeTensor(DataType type, std::vector<uint32_t> sizes,
                      std::optional<std::vector<uint32_t>> strides = std::nullopt);

// The smallest legal TotalTensorSizeInBytes, or 0 if no number is legal. Case strings omit it.
uint64_t defaultTotalBytes(const TensorDesc& tensor);

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <span>

// Elements as bits. DirectML's tensors are little-endian, whatever the host is.

namespace dmlcts {

// The `width` bytes at `offset` as an unsigned number.
inline uint64_t loadBits(std::span<const uint8_t> bytes, uint64_t offset, uint32_t width) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < width; ++i) bits |= uint64_t{bytes[offset + i]} << (8 * i);
  return bits;
}

inline void storeBits(std::span<uint8_t> bytes, uint64_t offset, uint32_t width, uint64_t bits) {
  for (uint32_t i = 0; i < width; ++i) bytes[offset + i] = static_cast<uint8_t>(bits >> (8 * i));
}

}  // namespace dmlcts

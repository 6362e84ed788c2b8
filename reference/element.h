#pragma once

#include <cstdint>
#include <span>

// Elements as bits. DirectML's tensors are little-endian, whatever the host is.

namespace dmlcts {

// The `width` bytes at `offset` as an unsigned number. Where the width is known, which is what the
// cases are for, compilers make one load of the loop.
inline uint64_t loadBits(std::span<const uint8_t> bytes, uint64_t offset, uint32_t width) {
  const auto load = [&](uint32_t count) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; ++i) bits |= uint64_t{bytes[offset + i]} << (8 * i);
    return bits;
  };
  switch (width) {
    case 1:
      return load(1);
    case 2:
      return load(2);
    case 4:
      return load(4);
    case 8:
      return load(8);
    default:
      return load(width);
  }
}

inline void storeBits(std::span<uint8_t> bytes, uint64_t offset, uint32_t width, uint64_t bits) {
  const auto store = [&](uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      bytes[offset + i] = static_cast<uint8_t>(bits >> (8 * i));
    }
  };
  switch (width) {
    case 1:
      return store(1);
    case 2:
      return store(2);
    case 4:
      return store(4);
    case 8:
      return store(8);
    default:
      return store(width);
  }
}

}  // namespace dmlcts

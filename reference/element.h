#pragma once

#include <cstdint>
#include <span>

#include "reference/descriptor.h"

// Reads and writes elements as bits. DirectML's tensors are little-endian on every host.

namespace dmlcts {

// Returns the `width` bytes at `offset` as an unsigned number. The cases give compilers a constant
// width, so that the loop becomes one load.
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

// Field widths of an IEEE 754 binary type.
struct FloatFormat {
  uint32_t exponentBits;
  uint32_t mantissaBits;

  constexpr uint64_t sign() const { return uint64_t{1} << (exponentBits + mantissaBits); }
  constexpr uint64_t infinity() const {
    return ((uint64_t{1} << exponentBits) - 1) << mantissaBits;
  }
  constexpr uint64_t mantissaMask() const { return (uint64_t{1} << mantissaBits) - 1; }

  constexpr uint64_t magnitude(uint64_t bits) const { return bits & ~sign(); }
  constexpr bool isNan(uint64_t bits) const { return magnitude(bits) > infinity(); }
  constexpr bool isInfinity(uint64_t bits) const { return magnitude(bits) == infinity(); }
  constexpr bool isDenormal(uint64_t bits) const {
    return magnitude(bits) != 0 && magnitude(bits) <= mantissaMask();
  }
};

// Requires info(type).isFloat.
constexpr FloatFormat floatFormat(DataType type) {
  if (type == DataType::Float16) return {5, 10};
  if (type == DataType::Float32) return {8, 23};
  return {11, 52};
}

}  // namespace dmlcts

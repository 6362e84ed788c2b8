#pragma once

#include <cstdint>
#include <string_view>

// Hashes, and the only source of randomness in cases. It is stateless: an element's value depends
// only on seed, stream and index, on every platform and in any order.

namespace dmlcts {

// FNV-1a, 64 bits: for names that must be the same on every host. Not for randomness.
class Fnv1a {
 public:
  constexpr void add(uint8_t byte) { state_ = (state_ ^ byte) * 0x100000001B3u; }
  constexpr void add(std::string_view text) {
    for (char c : text) add(static_cast<uint8_t>(c));
  }
  constexpr uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 0xCBF29CE484222325u;
};

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64 bits.
constexpr uint64_t mix64(uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// One stream of pseudo-random numbers, read at any index.
class Stream {
 public:
  constexpr Stream(uint64_t seed, uint64_t stream)
      : key_(mix64(seed + (stream + 1) * 0x9E3779B97F4A7C15u)) {}

  constexpr uint64_t operator[](uint64_t index) const {
    return mix64(key_ + (index + 1) * 0x9E3779B97F4A7C15u);
  }

 private:
  uint64_t key_;
};

constexpr uint64_t hashBits(uint64_t seed, uint64_t stream, uint64_t index) {
  return Stream(seed, stream)[index];
}

}  // namespace dmlcts

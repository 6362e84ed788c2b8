#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dmlcts {

// Returns the number of ones. std::popcount calls a function where the oldest processor of an
// architecture has no instruction for it. A search for causes counts much.
constexpr uint64_t ones(uint64_t word) {
  word -= word >> 1 & 0x5555'5555'5555'5555;
  word = (word & 0x3333'3333'3333'3333) + (word >> 2 & 0x3333'3333'3333'3333);
  word = (word + (word >> 4)) & 0x0f0f'0f0f'0f0f'0f0f;
  return word * 0x0101'0101'0101'0101 >> 56;
}

// A set of numbers below `size`.
class Bits {
 public:
  explicit Bits(size_t size = 0, bool all = false)
      : words_((size + 63) / 64, all ? ~uint64_t{0} : 0) {
    if (all && size % 64 != 0) words_.back() = (uint64_t{1} << (size % 64)) - 1;
  }
  void reset(size_t i) { words_[i / 64] &= ~(uint64_t{1} << (i % 64)); }
  void set(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  bool has(size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  uint64_t count() const {
    uint64_t sum = 0;
    for (uint64_t word : words_) sum += ones(word);
    return sum;
  }
  uint64_t countIn(const Bits& other) const {
    uint64_t sum = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      sum += ones(words_[i] & other.words_[i]);
    }
    return sum;
  }
  Bits& operator&=(const Bits& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  Bits& operator|=(const Bits& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  void remove(const Bits& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  std::optional<size_t> first() const {
    for (size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] != 0) return i * 64 + static_cast<size_t>(std::countr_zero(words_[i]));
    }
    return std::nullopt;
  }
  bool any() const { return first().has_value(); }
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t word = words_[i]; word != 0; word &= word - 1) {
        visit(i * 64 + static_cast<size_t>(std::countr_zero(word)));
      }
    }
  }
  bool operator==(const Bits&) const = default;
  auto operator<=>(const Bits&) const = default;

 private:
  std::vector<uint64_t> words_;
};

}  // namespace dmlcts

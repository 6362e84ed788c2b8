#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "conformance/language/hash.h"

// The source of choices from which a case is built: a seed, rapidcheck or a fuzzer's bytes. Smaller
// numbers mean simpler choices.

namespace dmlcts {

// Sizes at which implementations switch strategy: powers of two and their neighbours, group and
// tile sizes, 16-bit limits.
inline constexpr std::array<uint32_t, 29> kBoundaries{
    1,  2,   3,   4,   5,   7,   8,   15,  16,  17,   31,   32,   33,   63,   64,
    65, 127, 128, 129, 255, 256, 257, 511, 513, 1025, 4095, 4096, 4097, 65537};

class Choices {
 public:
  virtual ~Choices() = default;

  // Returns a number below the bound, which is at least 1.
  virtual uint64_t below(uint64_t bound) = 0;

  // Returns `count` sizes whose product is at most `elements` (at least 1), many at boundaries.
  // Overridden where older cases depend on another method.
  virtual std::vector<uint32_t> sizes(size_t count, uint64_t elements);

  virtual bool oneIn(uint64_t n) { return below(n) == 0; }
  uint64_t bits() { return below(uint64_t{1} << 32) << 32 | below(uint64_t{1} << 32); }
  uint32_t between(uint32_t first, uint32_t last) {  // both included
    return first + static_cast<uint32_t>(below(uint64_t{last} - first + 1));
  }

  template <class List>
  const auto& of(const List& list) {
    return *(list.begin() + static_cast<ptrdiff_t>(below(list.size())));
  }
  template <class T>
  T of(std::initializer_list<T> list) {
    return *(list.begin() + below(list.size()));
  }

  // Returns a boundary of at most `most` (at least 1).
  uint32_t boundary(uint64_t most);
  // Returns the numbers below `count` in any order.
  std::vector<uint32_t> shuffled(size_t count);
};

// The choices that a seed determines: the same on every platform.
class Draws : public Choices {
 public:
  explicit Draws(uint64_t seed, uint64_t stream = 0, uint64_t next = 0)
      : stream_(seed, stream), next_(next) {}

  uint64_t below(uint64_t bound) override { return stream_[next_++] % bound; }

  // The number of choices drawn so far.
  uint64_t next() const { return next_; }

 private:
  Stream stream_;
  uint64_t next_;
};

}  // namespace dmlcts

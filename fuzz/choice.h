#pragma once

#include <rapidcheck/Random.h>

#include <cstdint>
#include <initializer_list>

namespace dmlcts {

// The choices of one generated case, drawn from rapidcheck's generator: the same on every platform
// for the same seed.
class Choice {
 public:
  explicit Choice(rc::Random random) : random_(random) {}

  uint64_t bits() { return random_.next(); }
  uint64_t below(uint64_t bound) { return bits() % bound; }  // bound > 0
  bool oneIn(uint64_t n) { return below(n) == 0; }
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

 private:
  rc::Random random_;
};

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/cases/hash.h"

namespace dmlcts {

// Of a set of case strings, in any order: what a journal's lines are held against.
class PlanHash {
 public:
  constexpr void add(std::string_view caseString) {
    Fnv1a hash;
    hash.add(caseString);
    sum_ += mix64(hash.value());
  }
  // "set-0123456789abcdef"; hashes of older journals, which depend on the order, begin otherwise.
  std::string text() const {
    std::string text(kPrefix);
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[sum_ >> shift & 15];
    return text;
  }

  static constexpr std::string_view kPrefix = "set-";

 private:
  uint64_t sum_ = 0;
};

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/language/hash.h"

namespace dmlcts {

// Hash of a set of case strings, independent of order. A journal's lines are checked against it.
class PlanHash {
 public:
  // The hash of one case string.
  static constexpr uint64_t of(std::string_view caseString) {
    Fnv1a hash;
    hash.add(caseString);
    return mix64(hash.value());
  }
  constexpr void add(std::string_view caseString) { sum_ += of(caseString); }
  constexpr void add(const PlanHash& others) { sum_ += others.sum_; }
  bool operator==(const PlanHash&) const = default;
  // Returns "set-0123456789abcdef". Order-dependent hashes of older journals have another prefix.
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

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Counts, as every message and report spells them.

namespace dmlcts {

// "24,310"
inline std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

// "1 case", "24,310 cases"
inline std::string counted(uint64_t number, std::string_view noun) {
  return grouped(number) + ' ' + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace dmlcts

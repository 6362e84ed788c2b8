#pragma once

#include <cmath>
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

// "1 case/s", "24,310 cases/s"; without seconds 0.
inline std::string perSecond(uint64_t number, double seconds, std::string_view noun) {
  return counted(seconds > 0 ? std::llround(static_cast<double>(number) / seconds) : 0, noun) +
         "/s";
}

}  // namespace dmlcts

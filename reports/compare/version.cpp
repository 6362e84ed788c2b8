#include "reports/compare/version.h"

#include <algorithm>
#include <charconv>

namespace dmlcts {

std::vector<uint64_t> versionNumbers(std::string_view text) {
  std::vector<uint64_t> numbers;
  const char* at = std::find_if(text.data(), text.data() + text.size(),
                                [](char c) { return c >= '0' && c <= '9'; });
  const char* end = text.data() + text.size();
  uint64_t number = 0;
  while (at != end) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    if (next == end || *next != '.') break;
    at = next + 1;
  }
  return numbers;
}

}  // namespace dmlcts

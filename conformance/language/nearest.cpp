#include "conformance/language/nearest.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace dmlcts {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment (Damerau-Levenshtein without editing a substring twice).
size_t editsBetween(std::string_view a, std::string_view b) {
  std::vector<size_t> before;  // the row two above
  std::vector<size_t> above(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const auto same = [&](size_t x, size_t y) { return lower(a[x - 1]) == lower(b[y - 1]); };
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same(i, j) ? 0 : 1)});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j)) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = std::exchange(above, row);
  }
  return above[b.size()];
}

constexpr size_t kLongest = 200;  // characters; time is quadratic

}  // namespace

std::string didYouMean(std::string_view text, std::span<const std::string_view> names) {
  if (text.size() > kLongest) return "";
  std::string_view nearest;
  size_t fewest = std::max<size_t>(1, text.size() / 3) + 1;
  for (std::string_view name : names) {
    if (name.size() > kLongest) continue;
    const size_t edits = editsBetween(text, name);
    if (edits < fewest && edits < name.size()) {
      fewest = edits;
      nearest = name;
    }
  }
  return nearest.empty() ? "" : "; did you mean \"" + std::string(nearest) + "\"?";
}

}  // namespace dmlcts

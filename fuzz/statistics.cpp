#include "fuzz/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reference/rules.h"

namespace dmlcts {
double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

void FuzzStatistics::count(const Case& testCase, const JournalEntry& entry) {
  cases += 1;
  if (testCase.expect == Expect::Reject) rejects += 1;
  const auto values = parseLabels(entry.labels);
  if (!values) return;
  for (size_t i = 0; i < kParameters; ++i) labels[i][(*values)[i]] += 1;
}

std::string FuzzStatistics::text() const {
  std::string out = fmt::format(
      "this session: {} cases in {:.1f} s: {:.0f} cases/s; {} of them relations; {} more "
      "executions\n",
      cases, seconds, casesPerSecond(), relations, executions);
  out += fmt::format("rejected {:.1f} %, discarded {:.1f} % as run before, {} shrink steps\n",
                     percent(rejects, cases), percent(duplicates, generated), shrinks);
  for (size_t i = 0; i < kParameters; ++i) {
    const auto parameter = static_cast<Parameter>(i);
    std::vector<std::pair<uint64_t, std::string_view>> shares;
    uint64_t executed = 0;
    for (const auto& [value, number] : labels[i]) {
      executed += number;
      shares.emplace_back(number, valuesOf(parameter)[value]);
    }
    std::ranges::stable_sort(shares, std::greater{}, [](const auto& share) { return share.first; });
    std::string line;
    for (const auto& [number, word] : shares) {
      line +=
          fmt::format("{}{} {:.1f} %", line.empty() ? "" : ", ", word, percent(number, executed));
    }
    out += fmt::format("{:<15} {}\n", name(parameter), line);
  }
  return out;
}

}  // namespace dmlcts

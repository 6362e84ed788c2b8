#include "fuzz/statistics.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/counted.h"

namespace dmlcts {
namespace {

std::string spread(std::vector<size_t> numbers) {
  if (numbers.empty()) return "none";
  std::ranges::sort(numbers);
  return fmt::format("{} … {}, median {}", numbers.front(), numbers.back(),
                     numbers[numbers.size() / 2]);
}

}  // namespace

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
      "this session: {} in {:.1f} s: {:.0f} cases/s; {} compared outputs of several cases\n",
      counted(cases, "case"), seconds, casesPerSecond(), relations);
  out += fmt::format("rejected {:.1f} %, discarded {:.1f} % as run before; shrunk in {}\n",
                     percent(rejects, cases), percent(duplicates, generated),
                     counted(shrinks, "step"));
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

void SequenceStatistics::count(const DrawnProgram& program) {
  ++programs;
  executions += program.executions;
  lengths.push_back(program.program.calls.size());
  for (const gpu::SequenceCall& call : program.program.calls) {
    ++calls[static_cast<size_t>(call.kind)];
  }
}

std::string SequenceStatistics::text(double seconds, uint64_t tries) const {
  std::string out = fmt::format("{} in {:.1f} s: {:.0f} programs/s; {} more to shrink\n",
                                counted(programs, "program"), seconds,
                                seconds > 0 ? static_cast<double>(programs) / seconds : 0, tries);
  out += counted(executions, "execution") + " with defined outputs\n";
  uint64_t all = 0;
  for (uint64_t number : calls) all += number;
  std::string line;
  for (size_t i = 0; i < calls.size(); ++i) {
    line += fmt::format("{}{} {:.1f} %", line.empty() ? "" : ", ", gpu::kCallNames[i],
                        percent(calls[i], all));
  }
  out += fmt::format("kinds of calls  {} of {}\n", line, all);
  out += fmt::format("calls of each   {}\n", spread(lengths));
  return out;
}

}  // namespace dmlcts

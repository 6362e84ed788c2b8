#include "fuzz/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reference/rules.h"

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

void SequenceStatistics::count(const DrawnProgram& program) {
  ++programs;
  drawn += program.drawn;
  refused += program.refused;
  executions += program.executions;
  lengths.push_back(program.program.calls.size());
  alive.push_back(program.mostAlive);
  std::array<bool, gpu::kQueues> queues{};
  bool pressed = false;
  for (const gpu::SequenceCall& call : program.program.calls) {
    ++calls[static_cast<size_t>(call.kind)];
    if (call.kind == gpu::CallKind::Execute) queues[call.queue] = true;
    pressed = pressed || (call.kind == gpu::CallKind::Memory && call.bytes > 0);
  }
  twoQueues += queues[0] && queues[1] ? 1 : 0;
  underPressure += pressed ? 1 : 0;
}

std::string SequenceStatistics::text(double seconds, uint64_t tries) const {
  std::string out =
      fmt::format("{} programs in {:.1f} s: {:.0f} programs/s; {} more to shrink\n", programs,
                  seconds, seconds > 0 ? static_cast<double>(programs) / seconds : 0, tries);
  out += fmt::format("{} executions with defined outputs; refused {:.1f} % of {} calls drawn\n",
                     executions, percent(refused, drawn), drawn);
  uint64_t all = 0;
  for (uint64_t number : calls) all += number;
  std::string line;
  for (size_t i = 0; i < calls.size(); ++i) {
    line += fmt::format("{}{} {:.1f} %", line.empty() ? "" : ", ", gpu::kCallNames[i],
                        percent(calls[i], all));
  }
  out += fmt::format("calls           {} of {}\n", line, all);
  out += fmt::format("length          {} calls\n", spread(lengths));
  out += fmt::format("operators alive {}\n", spread(alive));
  out += fmt::format("both queues     {:.1f} % of programs; memory held in {:.1f} %\n",
                     percent(twoQueues, programs), percent(underPressure, programs));
  return out;
}

}  // namespace dmlcts

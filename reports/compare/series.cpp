#include "reports/compare/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

double casesPerSecond(const Report& report) {
  return report.seconds > 0 ? static_cast<double>(report.totals.all()) / report.seconds : 0;
}

}  // namespace

Series makeSeries(size_t journals, const ReadJournal& read) {
  Series series;
  for (size_t i = 0; i < journals; ++i) {
    std::vector<Journal> one;
    one.push_back(read(i));
    series.push_back(summarize(std::move(one)));
    series.back().cases = {};  // there may be many runs
  }
  // ISO 8601 in UTC sorts as text.
  std::ranges::stable_sort(series, {}, [](const Report& run) { return run.run.startedAt; });
  return series;
}

std::vector<std::string> warningsOf(const Series& series) {
  std::vector<std::string> warnings;
  for (auto run = series.begin(); run != series.end(); ++run) {
    const auto last =
        std::find_if(std::reverse_iterator(run), series.rend(), [&](const auto& each) {
          return each.run.target == run->run.target && each.run.tier == run->run.tier &&
                 each.filters.empty() == run->filters.empty();
        });
    const std::string other = last == series.rend() ? "" : otherSuite(last->run, run->run);
    if (other.empty()) continue;
    warnings.push_back(
        fmt::format("{} and {}: {}", last->run.startedAt, run->run.startedAt, other));
  }
  return warnings;
}

std::string seriesText(const Series& series) {
  std::string out = fmt::format("{:<21} {:>9} {:>9} {:>9}  {}\n", "started", "cases", "failed",
                                "cases/s", "driver, suite");
  for (const Report& run : series) {
    out += plainLine(fmt::format(
               "{:<21} {:>9} {:>9} {:>9.0f}  {}, {}{}{}", run.run.startedAt,
               grouped(run.totals.all()), grouped(run.totals.failures()), casesPerSecond(run),
               run.run.driver, suiteOf(run.run), run.filters.empty() ? "" : ", filtered",
               run.workerFailures.empty()
                   ? ""
                   : ", " + counted(run.workerFailures.size(), "worker failure"))) +
           '\n';
  }
  for (const std::string& each : warningsOf(series)) out += plainLine("warning: " + each) + '\n';
  return out;
}

ReportDocument toDocument(const Series& series) {
  auto runs = ReportDocument::array();
  for (const Report& run : series) {
    runs.push_back({{"startedAt", run.run.startedAt},
                    {"target", run.run.target},
                    {"adapter", run.run.adapter},
                    {"driver", run.run.driver},
                    {"suite", suiteOf(run.run)},
                    {"tier", run.run.tier},
                    {"totals", toDocument(run.totals)},
                    {"failed", run.totals.failures()},
                    {"workerFailures", run.workerFailures.size()},
                    {"filtered", !run.filters.empty()},
                    {"exitStatus", exitStatus(run)},
                    {"seconds", run.seconds},
                    {"casesPerSecond", casesPerSecond(run)}});
  }
  return {{"series", 1}, {"runs", std::move(runs)}, {"warnings", warningsOf(series)}};
}

}  // namespace dmlcts

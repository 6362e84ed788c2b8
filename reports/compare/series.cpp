#include "reports/compare/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
double SeriesRun::casesPerSecond() const {
  return seconds > 0 ? static_cast<double>(totals.all()) / seconds : 0;
}

Series makeSeries(size_t journals, const ReadJournal& read) {
  Series series;
  for (size_t i = 0; i < journals; ++i) {
    std::vector<Journal> one;
    one.push_back(read(i));
    const Report report = summarize(std::move(one));
    series.push_back({report.run, report.totals, report.workerFailures.size(), exitStatus(report),
                      !report.filters.empty(), report.seconds});
  }
  // ISO 8601 in UTC sorts as text.
  std::ranges::stable_sort(series, {}, [](const SeriesRun& run) { return run.run.startedAt; });
  return series;
}

std::vector<std::string> warningsOf(const Series& series) {
  std::vector<std::string> warnings;
  for (auto run = series.begin(); run != series.end(); ++run) {
    const auto last =
        std::find_if(std::reverse_iterator(run), series.rend(), [&](const auto& each) {
          return each.run.target == run->run.target && each.run.tier == run->run.tier &&
                 each.filtered == run->filtered;
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
  for (const SeriesRun& run : series) {
    out +=
        plainLine(fmt::format(
            "{:<21} {:>9} {:>9} {:>9.0f}  {}, {}{}{}", run.run.startedAt, grouped(run.totals.all()),
            grouped(run.totals.failures()), run.casesPerSecond(), run.run.driver, suiteOf(run.run),
            run.filtered ? ", filtered" : "",
            run.workerFailures > 0 ? ", " + counted(run.workerFailures, "worker failure") : "")) +
        '\n';
  }
  for (const std::string& each : warningsOf(series)) out += plainLine("warning: " + each) + '\n';
  return out;
}

ReportDocument toDocument(const Series& series) {
  auto runs = ReportDocument::array();
  for (const SeriesRun& run : series) {
    runs.push_back({{"startedAt", run.run.startedAt},
                    {"target", run.run.target},
                    {"adapter", run.run.adapter},
                    {"driver", run.run.driver},
                    {"suite", suiteOf(run.run)},
                    {"tier", run.run.tier},
                    {"totals", toDocument(run.totals)},
                    {"failed", run.totals.failures()},
                    {"workerFailures", run.workerFailures},
                    {"filtered", run.filtered},
                    {"exitStatus", run.status},
                    {"seconds", run.seconds},
                    {"casesPerSecond", run.casesPerSecond()}});
  }
  return {{"series", 1}, {"runs", std::move(runs)}, {"warnings", warningsOf(series)}};
}

}  // namespace dmlcts

#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/summary/summary.h"
#include "reports/text/document.h"

// Several runs of the same thing over time, as nightly jobs leave behind.

namespace dmlcts {

struct SeriesRun {
  JournalHeader run;
  Totals totals;
  size_t workerFailures = 0;  // of workers, outside any case
  int status = 0;             // exitStatus() of its report
  bool filtered = false;
  double seconds = 0;  // spent in cases
  double casesPerSecond() const;
};

using Series = std::vector<SeriesRun>;  // by start; runs that do not say come first

// One run per journal, shards not joined: give whole runs.
Series makeSeries(std::span<const Journal> journals);

std::string seriesText(const Series& series);
ReportDocument toDocument(const Series& series);

}  // namespace dmlcts

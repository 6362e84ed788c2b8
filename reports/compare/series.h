#pragma once

#include <string>
#include <vector>

#include "reports/summary/summary.h"
#include "reports/text/document.h"

// Several runs of the same thing over time, such as nightly runs.

namespace dmlcts {

// The runs' reports without their cases, by start; runs without one come first.
using Series = std::vector<Report>;

// Makes one run per journal. Shards are not joined, so each journal should be a whole run.
Series makeSeries(size_t journals, const ReadJournal& read);

// Returns one warning for each run that another suite than the run's before it made.
std::vector<std::string> warningsOf(const Series& series);

std::string seriesText(const Series& series);
ReportDocument toDocument(const Series& series);

}  // namespace dmlcts

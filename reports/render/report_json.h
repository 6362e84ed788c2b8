#pragma once

#include <cstddef>

#include "reports/summary/summary.h"
#include "reports/text/document.h"

namespace dmlcts {

// Returns the content of report.json, with details of the first `maxFailures` failures only.
ReportDocument toDocument(const Report& report, size_t maxFailures);

// Returns the parts that a program needs after starting a run: target, conclusion, totals,
// statements, gaps and causes. Leaves out the tables and the individual failures.
ReportDocument toSummaryDocument(const Report& report);

}  // namespace dmlcts

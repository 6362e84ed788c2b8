#pragma once

#include <cstddef>

#include "reports/summary/summary.h"
#include "reports/text/document.h"

namespace dmlcts {

// The content of report.json, with details of the first `maxFailures` failures only.
ReportDocument toDocument(const Report& report, size_t maxFailures);

// Of that content what a program asks of a run that it has started: who was tested, the conclusion,
// totals, statements, gaps and causes of failures; not the tables, nor the failures one by one.
ReportDocument toSummaryDocument(const Report& report);

}  // namespace dmlcts

#pragma once

#include <cstddef>

#include "reports/summary/summary.h"
#include "reports/text/document.h"

namespace dmlcts {

// The content of report.json, with details of the first `maxFailures` failures only.
ReportDocument toDocument(const Report& report, size_t maxFailures);

}  // namespace dmlcts

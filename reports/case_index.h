#pragma once

#include "reports/report_json.h"
#include "reports/summary.h"

namespace dmlcts {

// Every case of the report, packed for the page: about 30 bytes for a case of a typical family.
// Described in reports/README.md; unpacked by reports/html/app/cases.js.
ReportDocument packCases(const Report& report);

}  // namespace dmlcts

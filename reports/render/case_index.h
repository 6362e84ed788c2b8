#pragma once

#include <string_view>

#include "reports/render/report_json.h"
#include "reports/summary/summary.h"

namespace dmlcts {

// What queries ask of a case that its string does not spell out and that takes the harness to
// know: the class of its attributes, what its inputs hold (conformance/cases/traits.h), separated
// by spaces, and how many denormals. As JSON, [attributes, has, denormals]; null where that would
// take too long, or the case string does not belong to this version.
ReportDocument inputFacts(std::string_view caseString, std::optional<bool> weak = {});

// Every case of the report, packed for the page: about 30 bytes for a case of a typical family.
// Described in reports/README.md; unpacked by reports/html/app/cases.js.
ReportDocument packCases(const Report& report);

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reports/render/report_json.h"
#include "reports/summary/summary.h"

namespace dmlcts {

// How many elements of the case's input are denormal numbers, as queries count them
// (conformance/cases/measures.h). Nothing where that would take too long, or the case string does
// not belong to this version.
std::optional<uint64_t> countDenormals(std::string_view inputType, std::string_view caseString);

// Every case of the report, packed for the page: about 30 bytes for a case of a typical family.
// Described in reports/README.md; unpacked by reports/html/app/cases.js.
ReportDocument packCases(const Report& report);

}  // namespace dmlcts

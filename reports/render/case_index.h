#pragma once

#include "reports/render/report_json.h"
#include "reports/summary/summary.h"

namespace dmlcts {

// Returns facts for queries that the case string does not spell out, as JSON [attributes, has,
// denormals]. These are the class of its attributes, the traits of its inputs
// (conformance/cases/traits.h, separated by spaces), and the number of denormals. Null if the
// journal lacks them.
ReportDocument inputFacts(const JournalEntry& entry);

// Returns what a case string omits or shortens, in its syntax: tensors, dims, totals, strides of
// layouts (steps.TENSOR), and measures other than 0. "" if this version cannot read it.
std::string spelledOut(std::string_view caseString);

// Packs every case of the report for the page: about 30 bytes for a case of a typical family.
// Described in reports/README.md; unpacked by reports/html/app/cases.js.
ReportDocument packCases(const Report& report);

}  // namespace dmlcts

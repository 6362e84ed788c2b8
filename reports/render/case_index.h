#pragma once

#include "reports/render/report_json.h"
#include "reports/summary/summary.h"

namespace dmlcts {

// What queries ask of a case that its string does not spell out: the class of its attributes, what
// its inputs hold (conformance/cases/traits.h), separated by spaces, and how many denormals. As
// JSON, [attributes, has, denormals]; null where the journal does not say.
ReportDocument inputFacts(const JournalEntry& entry);

// Every case of the report, packed for the page: about 30 bytes for a case of a typical family.
// Described in reports/README.md; unpacked by reports/html/app/cases.js.
ReportDocument packCases(const Report& report);

}  // namespace dmlcts

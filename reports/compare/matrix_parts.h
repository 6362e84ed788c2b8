#pragma once

#include "reports/compare/matrix.h"

// What the parts of the matrix share: matrix.cpp has its cells, matrix_findings.cpp its findings,
// matrix_document.cpp all of it as JSON.

namespace dmlcts {

// Cases that never ran.
uint64_t notAsked(const Totals& totals);

// What since and until are said of, and on what.
std::string versionOf(const JournalHeader& run);
std::string driverOf(const JournalHeader& run);

// The inverse of a document's member "totals". Throws InputError for an unknown verdict.
Totals totalsIn(const ReportDocument& document);

// Fills in the findings; the configurations are there.
void addFindings(Matrix& matrix);

}  // namespace dmlcts

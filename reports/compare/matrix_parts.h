#pragma once

#include "reports/compare/matrix.h"

// Shared by the parts of the matrix: matrix.cpp makes the cells, matrix_findings.cpp the findings,
// matrix_document.cpp the JSON.

namespace dmlcts {

// Counts cases that never ran.
uint64_t notAsked(const Totals& totals);

// Return the version and the driver by which findings are dated.
std::string versionOf(const JournalHeader& run);
std::string driverOf(const JournalHeader& run);

// Reads a document's member "totals". Throws InputError for an unknown verdict.
Totals totalsIn(const ReportDocument& document);

// Fills in the findings; needs `configurations`.
void addFindings(Matrix& matrix);

}  // namespace dmlcts

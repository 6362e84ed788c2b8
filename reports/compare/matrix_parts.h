#pragma once

#include "reports/compare/matrix.h"

// What the parts of the matrix share: matrix.cpp has its cells, matrix_findings.cpp what is found,
// matrix_document.cpp all of it as JSON.

namespace dmlcts {

// Cases that never ran.
uint64_t notAsked(const Totals& totals);

// What since and until are said of, and on what.
std::string versionOf(const JournalHeader& run);
std::string driverOf(const JournalHeader& run);

// Fills in the findings; the configurations are there.
void addFindings(Matrix& matrix);

}  // namespace dmlcts

#pragma once

#include <vector>

#include "reports/summary.h"

namespace dmlcts {

// The empty cells of the matrices, one matrix per operator and level: for each, every type and
// rank that the operator has a case for at some level. Only of operators, levels and types that
// this version knows.
std::vector<Hole> findHoles(const std::vector<MatrixRow>& matrix);

}  // namespace dmlcts

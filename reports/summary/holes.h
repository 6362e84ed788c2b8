#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/summary/summary.h"

namespace dmlcts {

// The rule, in words, that keeps descriptors with an input of that type and rank out of a level;
// nothing where there is none, or where the operator, level or type is not known here.
std::optional<std::string> ruledOut(std::string_view op, const std::string& level,
                                    const std::string& type, uint32_t rank);

// The empty cells of the matrices, one matrix per operator and level: for each, every type and
// rank that the operator has a case for at some level. Only of operators, levels and types that
// this version knows.
std::vector<Hole> findHoles(const std::vector<MatrixRow>& matrix);

}  // namespace dmlcts

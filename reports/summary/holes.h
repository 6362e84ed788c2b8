#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/summary/summary.h"

namespace dmlcts {

// Returns, in words, the rule that forbids an input of that type and rank at a level. Nothing if
// there is none, or if the operator, level or type is unknown here.
std::optional<std::string> ruledOut(std::string_view op, const std::string& level,
                                    const std::string& type, uint32_t rank);

// Returns the empty cells of the matrices, one matrix per operator and level, with every type and
// rank that the operator has at some level. Skips operators, levels and types that this version
// does not know.
std::vector<Hole> findHoles(const std::vector<MatrixRow>& matrix);

}  // namespace dmlcts

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// Which parts of a failing case matter: changes one part at a time to its other values and asks
// whether the case still fails. A line for each part, "input type: only i8 fails (7 others pass)"
// or "level: any". Parts that cannot be changed alone are left out. Asks at most `budget` times.
std::vector<std::string> explain(const Case& testCase,
                                 const std::function<bool(const Case&)>& stillFails, int budget);

}  // namespace dmlcts

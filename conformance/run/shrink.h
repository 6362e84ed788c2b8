#pragma once

#include <functional>
#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// Simpler neighbours of a case, simplest first: fewer elements, fewer dimensions, packed layouts,
// plainer values. Each is as valid as the case itself: it executes, or it breaks the one rule.
std::vector<Case> simplerCases(const Case& testCase);

// The simplest case found by going from simpler to simpler neighbour while `stillFails` says yes,
// asking it at most `budget` times. `steps`, if given, receives the number of neighbours taken.
Case shrink(const Case& testCase, const std::function<bool(const Case&)>& stillFails,
            int budget = 400, int* steps = nullptr);

}  // namespace dmlcts

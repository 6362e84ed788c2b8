#pragma once

#include <functional>
#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// Simpler neighbours of a case for fuzzing, simplest first: those of conformance/run/shrink.h, and
// others of a plainer type, level or fill. Each is as valid as the case itself.
std::vector<Case> simplerFuzzCases(const Case& testCase);

struct Shrunk {
  Case smallest;
  int steps = 0;  // neighbours taken
  int tries = 0;  // neighbours asked about
};

// What shrinking may cost at most.
struct ShrinkBudget {
  int tries = 0;
  uint64_t elements = 0;  // of the largest tensors of all cases that execute
};

// Walks down rapidcheck's shrink tree of the case while `stillFails`. Asks the same questions in
// the same order for the same answers.
Shrunk shrinkFuzzCase(const Case& testCase, const std::function<bool(const Case&)>& stillFails,
                      ShrinkBudget budget);

}  // namespace dmlcts

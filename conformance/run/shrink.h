#pragma once

#include <cstdint>
#include <functional>

#include "conformance/cases/case.h"

namespace dmlcts {

struct Shrunk {
  Case smallest;
  int steps = 0;  // neighbours taken
  int tries = 0;  // neighbours asked about
};

// What shrinking may cost at most.
struct ShrinkBudget {
  int tries = 400;
  uint64_t elements = UINT64_MAX;  // of the largest tensors of all cases that execute
};

// The simplest case found by going from neighbour to simpler neighbour
// (conformance/cases/simpler.h) while `stillFails` says yes. Asks the same questions in the same
// order for the same answers.
Shrunk shrink(const Case& testCase, const std::function<bool(const Case&)>& stillFails,
              ShrinkBudget budget = {});

}  // namespace dmlcts

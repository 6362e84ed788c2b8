#pragma once

#include <cstdint>
#include <functional>

#include "conformance/cases/case.h"

namespace dmlcts {

struct Shrunk {
  Case smallest;
  int steps = 0;  // neighbours accepted
  int tries = 0;  // neighbours tested
};

// Limits of shrinking.
struct ShrinkBudget {
  int tries = 400;
  uint64_t elements = UINT64_MAX;  // sum over executed cases of their largest tensor
};

// Returns the simplest case reached by moving to simpler neighbours (conformance/cases/simpler.h)
// while `stillFails` returns true. Deterministic for the same answers.
Shrunk shrink(const Case& testCase, const std::function<bool(const Case&)>& stillFails,
              ShrinkBudget budget = {});

}  // namespace dmlcts

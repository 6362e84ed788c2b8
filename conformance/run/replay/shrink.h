#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "conformance/language/case.h"

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

// Returns the simplest case reached by moving to simpler neighbours
// (conformance/operators/simpler.h) while `stillFails` returns true. Deterministic for the same
// answers.
Shrunk shrink(const Case& testCase, const std::function<bool(const Case&)>& stillFails,
              ShrinkBudget budget = {});

// Finds a small subset of `count` items that reproduces an effect, as ascending indices, with at
// most `searches` calls. Does not test single items, because the caller has done so. Returns an
// empty set if not even all items reproduce it. Uses ddmin (Zeller and Hildebrandt, "Simplifying
// and Isolating Failure-Inducing Input", 2002).
std::vector<size_t> smallestSet(
    size_t count, int searches,
    const std::function<bool(const std::vector<size_t>&)>& bringsItBack);

}  // namespace dmlcts

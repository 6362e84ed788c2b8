#pragma once

#include <functional>

#include "conformance/run/program.h"

namespace dmlcts {

struct ShrunkProgram {
  Program smallest;
  int steps = 0;  // programs accepted
  int tries = 0;  // programs tested
};

// Shrinks a program while `stillFails` returns true. Removes calls and those that depend on them,
// then uses simpler operators, one queue, one operator for two, and less memory. Deterministic for
// the same answers.
ShrunkProgram shrink(const Program& program, const std::function<bool(const Program&)>& stillFails,
                     int budget);

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <functional>

#include "conformance/cases/inputs/choices.h"
#include "conformance/run/judging/program.h"

namespace dmlcts {

// A program, and how many of its executions have a defined output.
struct DrawnProgram {
  Program program;
  uint64_t executions = 0;
};

// Draws a valid program with operators that exist at the target's highest level.
DrawnProgram drawProgram(Choices& choices, Level highest);

// Returns program `index` of a seed's sequence.
DrawnProgram fuzzProgram(uint64_t seed, uint64_t index, Level highest);

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

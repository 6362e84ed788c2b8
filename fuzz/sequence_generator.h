#pragma once

#include <cstdint>

#include "conformance/cases/choices.h"
#include "conformance/run/program.h"

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

}  // namespace dmlcts

#pragma once

#include <cstdint>

#include "conformance/cases/choices.h"
#include "conformance/run/program.h"

namespace dmlcts {

// A program and the statistics of drawing it.
struct DrawnProgram {
  Program program;
  uint64_t drawn = 0;    // calls
  uint64_t refused = 0;  // calls refused because the documents do not define their effect
  uint64_t executions = 0;
  size_t mostAlive = 0;  // operators
};

// Draws a valid program with operators that exist at the target's highest level.
DrawnProgram drawProgram(Choices& choices, Level highest);

// Returns program `index` of a seed's sequence.
DrawnProgram fuzzProgram(uint64_t seed, uint64_t index, Level highest);

}  // namespace dmlcts

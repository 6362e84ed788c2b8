#pragma once

#include <cstdint>

#include "conformance/run/program.h"

namespace dmlcts {

// How much choosing a program took.
struct DrawnProgram {
  Program program;
  uint64_t drawn = 0;    // calls
  uint64_t refused = 0;  // of these, because the documents leave open what they would do
  uint64_t executions = 0;
  size_t mostAlive = 0;  // operators
};

// Number `index` of the sequence of programs that belongs to a seed: valid, of operators that a
// target with that highest level has.
DrawnProgram fuzzProgram(uint64_t seed, uint64_t index, Level highest);

}  // namespace dmlcts

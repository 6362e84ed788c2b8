#pragma once

#include <functional>

#include "conformance/run/program.h"

namespace dmlcts {

struct ShrunkProgram {
  Program smallest;
  int steps = 0;  // programs taken
  int tries = 0;  // programs asked about
};

// The smallest valid program found by leaving out calls, those that others then lack something of
// among them, then by plainer operators, one queue, one operator for two, and less memory, while
// `stillFails` says yes. Asks the same questions in the same order for the same answers.
ShrunkProgram shrink(const Program& program, const std::function<bool(const Program&)>& stillFails,
                     int budget);

}  // namespace dmlcts

#pragma once

#include "bench/work_list.h"

// The benchmarks of NONZERO_COORDINATES.

namespace dmlcts::bench {

void sweepNonzero(WorkList& list);
void nonzeroGoals(WorkList& list);
void nonzeroLarge(WorkList& list);

}  // namespace dmlcts::bench

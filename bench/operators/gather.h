#pragma once

#include "bench/work_list.h"

// The benchmarks of GATHER_ND and GATHER_ND1.

namespace dmlcts::bench {

void sweepGather(WorkList& list);
void gatherGoals(WorkList& list);
void gatherLarge(WorkList& list);
void sweepBatches(WorkList& list);
void batchGoals(WorkList& list);

}  // namespace dmlcts::bench

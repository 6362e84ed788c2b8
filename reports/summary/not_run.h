#pragma once

#include <vector>

#include "reports/summary/summary.h"

namespace dmlcts {

// Returns what a run left out, with reasons: shards, tiers, levels, unsupported features, rules
// that no test can check. Reads all of the report except `notRun`.
std::vector<NotRun> findNotRun(const Report& report);

}  // namespace dmlcts

#pragma once

#include <vector>

#include "reports/summary/summary.h"

namespace dmlcts {

// What a run left out, and why: shards, tiers, levels, what the target said it does
// not have, rules that no test can check. Reads all of the report but `notRun`.
std::vector<NotRun> findNotRun(const Report& report);

}  // namespace dmlcts

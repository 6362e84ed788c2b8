#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "conformance/cases/case.h"
#include "conformance/run/execution_mode.h"
#include "reports/journal/journal.h"

namespace dmlcts {

// Nanoseconds that cases took in earlier runs, by case string.
using MeasuredCosts = std::unordered_map<std::string, uint64_t>;

// Of a case with several verdicts, the longest time. Cases without a time are left out.
MeasuredCosts measuredCosts(std::span<const Journal> journals);

// Which cases a run is about.
struct ScheduleOptions {
  std::string tier = "default";      // smoke, default, large, huge
  std::vector<std::string> queries;  // none: all of the tier
  std::optional<std::string> level;  // only this level, "4.0" or a pattern "4.*"
  ExecutionMode mode = {};           // only cases that take it
  std::optional<std::unordered_set<std::string>> only = {};  // of the tier, by case string
  uint64_t seed = 0;  // other than 0: other values in the same shapes
  uint32_t shardIndex = 0;
  uint32_t shardCount = 1;
  MeasuredCosts costs;  // to share the cases out by; must be the same for all shards
};

struct ScheduledCase {
  Case testCase;
  std::string text;  // its case string
};

struct Schedule {
  std::vector<ScheduledCase> cases;  // of this shard, in tier order
  // Of the whole tier, before any query, level or shard: cases by "gather_nd 3.0".
  std::map<std::string, uint64_t> tierCases;
  uint64_t unknown = 0;       // of ScheduleOptions::only, those that are not in the tier
  std::string hash;           // of the case strings of all shards: PlanHash
  std::string partitionHash;  // of which shard each of them is in; "" for one shard
};

// Throws SyntaxError for a bad query, std::invalid_argument for a bad tier, level or shard, and if
// there is no case or a query matches none.
Schedule makeSchedule(const ScheduleOptions& options);

// What a case costs, in arbitrary units: for sharing out a schedule evenly. Depends on the case
// alone.
uint64_t estimatedCost(const Case& testCase);

// What each case costs, all in one unit: the measured time where there is one, and elsewhere the
// estimate, scaled as measured and estimated times of the other cases suggest. The same on every
// host.
std::vector<uint64_t> costsOf(std::span<const ScheduledCase> cases, const MeasuredCosts& measured);

}  // namespace dmlcts

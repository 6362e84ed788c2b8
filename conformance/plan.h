#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// Which cases a run is about.
struct PlanOptions {
  std::string tier = "default";      // smoke, default, large
  std::vector<std::string> queries;  // none: all of the tier
  std::optional<std::string> level;  // only this level, "4.0" or a pattern "4.*"
  uint64_t seed = 0;                 // other than 0: other values in the same shapes
  uint32_t shardIndex = 0;
  uint32_t shardCount = 1;
};

struct PlannedCase {
  Case testCase;
  std::string text;  // its case string
};

struct RunPlan {
  std::vector<PlannedCase> cases;  // of this shard, in tier order
  std::string hash;                // of the case strings of all shards, in order
};

// Throws SyntaxError for a bad query, std::invalid_argument for a bad tier, level or shard, and
// std::logic_error naming them when two cases have one name.
RunPlan makePlan(const PlanOptions& options);

// What a case costs, in arbitrary units: for sharing out a plan evenly. Depends on the case alone.
uint64_t estimatedCost(const Case& testCase);

}  // namespace dmlcts

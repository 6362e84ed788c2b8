#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "conformance/language/case.h"
#include "conformance/run/judging/execution_mode.h"
#include "reports/journal/journal.h"

namespace dmlcts {

// Family of cases that no tier has: of a user's file, or spelled out as a query.
inline constexpr std::string_view kGivenFamily = "given";

// Chooses the cases of a run. In go a tier, queries and a shard, out comes a Schedule. The runner,
// list, replay, selftest and dmlcts-gtest call it.
//
//   ScheduleOptions options;
//   options.queries = {"gather_nd input=f16:*"};
//   const Schedule schedule = chooseCases(options);

struct ScheduleOptions {
  std::string tier = "default";  // smoke, default, large, huge
  // Run these instead of the tier's cases, whatever the seed.
  std::optional<std::vector<Case>> given = {};
  std::string caseFile;  // the file that they are from, or ""
  // Empty: all of the tier. One that is a whole case string also chooses that case, in the tier or
  // not.
  std::vector<std::string> queries;
  std::optional<std::string> level;  // only this level, "4.0" or a pattern "4.*"
  ExecutionMode mode = {};           // only cases that can use it
  std::optional<std::unordered_set<std::string>> only = {};  // case strings to keep
  uint64_t seed = 0;  // other than 0: other values in the same shapes
  uint32_t shardIndex = 0;
  uint32_t shardCount = 1;
  // Once it is true, chooseCases() throws Interrupted. Called for each case of the tier.
  std::function<bool()> cancelled = {};
};

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted before the first case") {}
};

struct ScheduledCase {
  Case testCase;
  std::string text;  // its case string
};

struct Schedule {
  std::vector<ScheduledCase> cases;  // of this shard, in tier order
  bool ofTier = true;                // no case is of kGivenFamily
  // Number of cases in the whole tier, before queries, level and shard, by "gather_nd 3.0". Empty
  // unless ofTier.
  std::map<std::string, uint64_t> tierCases;
  uint64_t unknown = 0;       // cases in ScheduleOptions::only that are not in the tier
  std::string hash;           // PlanHash of the case strings of all shards
  std::string partitionHash;  // hash of the assignment to shards; "" for one shard
};

// Throws SyntaxError for a bad query, and std::invalid_argument for a bad tier, level or shard, for
// no cases, for a query without matches, or that spells out a case that cannot be run.
Schedule chooseCases(const ScheduleOptions& options);

// Estimates a case's cost in arbitrary units, from the case alone.
uint64_t estimatedCost(const Case& testCase);

}  // namespace dmlcts

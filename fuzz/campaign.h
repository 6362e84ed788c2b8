#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/finding.h"
#include "fuzz/statistics.h"
#include "reports/summary/summary.h"

namespace dmlcts {

struct FuzzOptions {
  LaneOptions target;
  std::optional<LaneOptions> against;
  uint64_t seed = 1;
  uint64_t cases = 0;  // at most; 0 for no limit
  double seconds = 0;  // at most, shrinking aside; 0 for no limit
  uint32_t jobs = 1;
  uint32_t stopAfter = 0;      // this many different failures end the run; 0: never
  uint32_t mostFindings = 25;  // at most this many different failures are shrunk
  bool relations = true;
  std::filesystem::path folder;        // of journal, reports and bundles
  std::filesystem::path database;      // or empty
  std::filesystem::path expectations;  // or empty
  bool resume = false;
  bool overwrite = false;
  bool prune = false;         // removes examples of this target that pass now
  bool showProgress = false;  // a line on stderr, rewritten in place
  std::string commandLine;
  std::string replayArguments;  // that name the target and the flags to `dmlcts replay`
  std::function<void(const std::string&)> say;  // called with each finding
};

struct FuzzResult {
  Report report;  // of the whole run; the rest is about this session only, where it was resumed
  FuzzStatistics statistics;
  std::vector<Finding> findings;  // in the order in which they were found
  size_t foundBefore = 0;         // findings of the sessions that were resumed
  std::string target;             // of the identity
  size_t examples = 0;            // replayed first
  size_t examplesFailing = 0;     // of these
  int rediscoveries = 0;          // failures that were shrunk to examples again
  std::vector<std::string> warnings;
  std::string stopped;  // why it ended early (too many workers lost, a signal), or ""
};

// Replays the database, then generates cases, runs them in batches, compares them with the
// reference, checks relations between them, shrinks and stores what fails. Every verdict is in the
// journal before the next batch. With one job and a limit of cases, the same cases in the same
// order every time. Throws UsageError, WorkerStartError, and std::system_error when a file cannot
// be written.
FuzzResult fuzz(const FuzzOptions& options);

}  // namespace dmlcts

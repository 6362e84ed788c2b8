#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/facts/parameter_space.h"
#include "conformance/language/case.h"
#include "fuzz/finding.h"
#include "reports/journal/journal.h"
#include "reports/summary/summary.h"

namespace dmlcts {

// Counts what a session of a fuzz run did; printed at its end.
struct FuzzStatistics {
  uint64_t cases = 0;       // with a verdict
  uint64_t relations = 0;   // cases that are checks of relations
  uint64_t executions = 0;  // sent to targets beyond these: relations, shrinking, examples
  uint64_t rejects = 0;     // cases that must be rejected
  uint64_t generated = 0;   // cases generated, including discarded ones
  uint64_t duplicates = 0;  // generated cases discarded as duplicates
  uint64_t shrinks = 0;     // accepted shrinking steps
  double seconds = 0;       // wall clock of generating and running
  std::array<std::map<uint8_t, uint64_t>, kParameters> labels;  // of cases that execute

  void count(const Case& testCase, const JournalEntry& entry);

  // True if so many generated cases were discarded that the run proves little.
  bool unhealthy() const { return generated > 2000 && duplicates * 2 > generated; }

  std::string text() const;
};

struct FuzzOptions {
  LaneOptions target;
  std::optional<LaneOptions> against;
  uint64_t seed = 1;
  uint64_t cases = 0;  // at most; 0 for no limit
  double seconds = 0;  // at most; 0 for no limit. Then what is in flight is waited for, no more
  std::function<std::chrono::steady_clock::time_point()> clock = std::chrono::steady_clock::now;
  uint32_t jobs = 1;
  uint32_t stopAfter = 0;      // ends the run after this many different failures; 0: never
  uint32_t mostFindings = 25;  // at most this many different failures are shrunk
  bool relations = true;
  std::filesystem::path folder;    // for journal, reports and bundles
  std::filesystem::path database;  // or empty
  std::vector<Case> examples;      // replayed like those of the database, never removed; and seeds
  std::filesystem::path expectations;  // or empty
  bool resume = false;
  bool overwrite = false;
  bool prune = false;         // removes this target's examples that now pass
  bool showProgress = false;  // a line on stderr, rewritten in place
  std::string commandLine;
  std::string replayArguments;                  // arguments of `dmlcts replay` for target and flags
  std::function<void(const std::string&)> say;  // called with each finding
};

struct FuzzResult {
  Report report;  // of the whole run; other members are about this session only
  FuzzStatistics statistics;
  std::vector<Finding> findings;  // in the order in which they were found
  size_t foundBefore = 0;         // findings of the sessions that were resumed
  size_t unshrunk = 0;            // different failures that no time was left to shrink
  size_t examples = 0;            // replayed first
  size_t examplesLeft = 0;        // that no time was left to replay
  size_t examplesFailing = 0;     // of these
  int rediscoveries = 0;          // failures that were shrunk to examples again
  std::vector<std::string> warnings;
  std::string stopped;  // reason for an early end (too many workers lost, a signal), or ""
};

// Replays the database. Then generates cases, runs them, compares them with the reference, checks
// relations, and shrinks and stores failures. Every verdict is in the journal
// before the next batch. With a limit of cases, the same for the same number of jobs, however often
// killed and resumed. Throws UsageError, WorkerStartError, and std::system_error if a file cannot
// be written.
FuzzResult fuzz(const FuzzOptions& options);

}  // namespace dmlcts

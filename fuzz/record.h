#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "conformance/run/expectations.h"
#include "conformance/run/progress.h"
#include "conformance/run/run_folder.h"
#include "conformance/run/stderr_budget.h"
#include "fuzz/campaign.h"
#include "fuzz/database.h"
#include "reports/journal/journal.h"

namespace dmlcts {

inline constexpr std::string_view kExampleFamily = "fuzz.example";  // family of database examples

// A failure to investigate.
struct FuzzFailure {
  static constexpr size_t kRanBefore = 32;  // earlier cases that it may depend on

  Subject subject;
  Judgement judgement;
  std::vector<Case> ranBefore;
  bool ofEarlierSession = false;  // a session that was killed before investigating it
};

// State of a fuzz run that lanes share: case numbers, journal, expectations, kinds of failure,
// findings. Thread-safe.
class FuzzRecord {
 public:
  // Reads the user's files before it changes anything in the folder. `against` is the other
  // target's identity, whose expectations apply to disagreements; or null.
  FuzzRecord(const FuzzOptions& options, const gpu::Identity& identity,
             const gpu::Identity* against);

  // Failures that a resumed run journaled but did not investigate. Call once.
  std::vector<FuzzFailure> takeUninvestigated() { return std::move(uninvestigated_); }

  // False if such a failure's kind has been found since.
  bool isOpen(const FuzzFailure& failure);

  // True if the resumed run had replayed the example, or had finished all examples.
  bool replayed(const Example& example) const;

  // Returns the next case that has not been run, or nothing if the run is over.
  std::optional<ScheduledCase> next();

  // Returns why the case must not be sent to either target, or nothing.
  std::optional<std::string> whySkipped(const Case& testCase) const;

  // True if cases, seconds or failures are used up.
  bool over();

  // True once the seconds are, or the run was told to stop: nothing more is asked of targets.
  bool timeIsUp() const;

  // Permission to check one relation; it counts as a case. False when the run is over.
  bool takeRelation();

  // Journals a verdict. Returns true for a failure of a new kind, which must be investigated.
  // Database examples (family kExampleFamily) do not count: another failure of their kind may have
  // another cause. `prepared`: the case as sent, if sent by itself.
  bool verdict(const Subject& subject, const Judgement& judgement, double seconds,
               std::string_view family, const std::vector<std::string>& attempts = {},
               const std::string& workerStderr = {}, const PreparedCase* prepared = nullptr);

  // Stores a shrunk finding: database, bundle, and a line on the terminal. If the database already
  // has it, stores nothing and lets the next failure of its kind be investigated. After a few of
  // those the kind counts as known.
  void finding(const FuzzFailure& failure, const Finding& finding,
               const std::optional<Lane::Trial>& trial);

  // Counts a failure of a new kind that no time was left to shrink: --resume does.
  void unshrunk(const FuzzFailure& failure);

  // Journals what happened to a worker outside any case.
  void workerFailure(JournalWorkerFailure workerFailure);

  void executed(uint64_t executions);
  void stop() { stopped_ = true; }

  Database& database() { return database_; }

  // Writes the reports.
  FuzzResult finish();

 private:
  Expectations readExpectations(const gpu::Identity& identity) const;
  void resume();
  void keepForInvestigation(const JournalEntry& entry, const Judgement& judgement,
                            const std::vector<Case>& ranBefore);
  bool overLocked() const;
  double elapsed() const;

  using Clock = std::chrono::steady_clock;

  const FuzzOptions& options_;
  const gpu::Identity& identity_;
  Database database_;
  Clock::time_point start_;
  std::atomic<bool> stopped_ = false;

  std::mutex mutex_;  // guards the members below
  Progress progress_;
  Expectations expectations_;
  std::optional<Expectations> expectationsAgainst_;
  RunFolder folder_;
  StderrBudget stderr_;
  std::vector<FuzzFailure> uninvestigated_;
  std::unordered_set<std::string> replayed_;            // examples, by case string
  std::unordered_set<std::string> settled_;             // kinds that have a finding now
  std::unordered_set<std::string> unshrunk_;            // kinds that need more time
  bool pastExamples_ = false;                           // an earlier session was
  std::unordered_set<uint64_t> done_;                   // of an earlier run that this one resumes
  std::unordered_set<uint64_t> started_;                // hashes of case strings
  std::unordered_set<std::string> kinds_;               // investigated or being investigated
  std::unordered_map<std::string, int> rediscoveries_;  // of existing examples, by kind
  uint64_t nextIndex_ = 0;
  uint64_t given_ = 0;
  FuzzStatistics statistics_;
  std::vector<Finding> findings_;
  size_t foundBefore_ = 0;
};

}  // namespace dmlcts

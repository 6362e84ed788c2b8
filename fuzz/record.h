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

inline constexpr std::string_view kExampleFamily = "fuzz.example";  // of the database

// A failure that is to be investigated.
struct FuzzFailure {
  static constexpr size_t kRanBefore = 32;  // cases looked at for what it depends on

  Subject subject;
  Judgement judgement;
  std::vector<Case> ranBefore;
  bool ofEarlierSession = false;  // which was killed before it had been investigated
};

// What the lanes of a fuzz run share: the numbers of cases given out, journal, expectations,
// kinds of failure seen, findings. All members may be called by any lane.
class FuzzRecord {
 public:
  // Reads the user's files before anything in the folder changes. `against`: the identity of
  // the other target, whose expectations apply to where it disagrees; or null.
  FuzzRecord(const FuzzOptions& options, const gpu::Identity& identity,
             const gpu::Identity* against);

  // Failures that a resumed run had journaled, but not investigated yet. Call it once.
  std::vector<FuzzFailure> takeUninvestigated() { return std::move(uninvestigated_); }

  // False for one of these whose kind has been found since.
  bool isOpen(const FuzzFailure& failure);

  // Whether the run that is resumed has replayed the example already, or was past its examples.
  bool replayed(const Example& example) const;

  // The next case that has not been run, or nothing when the run is over.
  std::optional<ScheduledCase> next();

  // Why the case must not be sent, to either target, where it must not.
  std::optional<std::string> whySkipped(const Case& testCase) const;

  // Whether cases, seconds or failures are used up.
  bool over();

  // Permission to check one relation; it counts as a case. False when the run is over.
  bool takeRelation();

  // Journals a verdict. Returns whether it is a failure of a new kind, to be investigated. Examples
  // of the database, of family kExampleFamily, do not make their kind an old one: another failure
  // of the same kind may have another cause. `prepared`: the case as it was sent, if by itself.
  bool verdict(const Subject& subject, const Judgement& judgement, double seconds,
               std::string_view family, const std::vector<std::string>& attempts = {},
               const std::string& workerStderr = {}, const PreparedCase* prepared = nullptr);

  // Keeps the finding that a failure was shrunk to: database, bundle, and a line on the terminal.
  // Where the database holds it already, nothing is kept, and the next failure of that kind is
  // investigated instead; after a few of those the kind counts as known.
  void finding(const FuzzFailure& failure, const Finding& finding,
               const std::optional<Lane::Trial>& trial);

  // Journals what happened to a worker outside any case.
  void workerFailure(JournalWorkerFailure workerFailure);

  void executed(uint64_t executions);
  void stop() { stopped_ = true; }

  Database& database() { return database_; }

  // Makes the reports.
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
  Clock::time_point start_ = Clock::now();
  std::atomic<bool> stopped_ = false;

  std::mutex mutex_;  // of what follows
  Progress progress_;
  Expectations expectations_;
  std::optional<Expectations> expectationsAgainst_;
  RunFolder folder_;
  StderrBudget stderr_;
  std::vector<FuzzFailure> uninvestigated_;
  std::unordered_set<std::string> replayed_;            // examples, by case string
  std::unordered_set<std::string> settled_;             // kinds that have a finding now
  bool pastExamples_ = false;                           // an earlier session was
  std::unordered_set<uint64_t> done_;                   // of an earlier run that this one resumes
  std::unordered_set<uint64_t> started_;                // hashes of case strings
  std::unordered_set<std::string> kinds_;               // investigated
  std::unordered_map<std::string, int> rediscoveries_;  // of what the database holds, by kind
  uint64_t nextIndex_ = 0;
  uint64_t given_ = 0;
  FuzzStatistics statistics_;
  std::vector<Finding> findings_;
  size_t foundBefore_ = 0;
};

}  // namespace dmlcts

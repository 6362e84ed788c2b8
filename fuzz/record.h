#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "conformance/expectations.h"
#include "conformance/progress.h"
#include "fuzz/campaign.h"
#include "fuzz/database.h"
#include "reports/journal.h"

namespace dmlcts {

// Family of the verdicts of replayed examples in the journal.
inline constexpr std::string_view kExampleFamily = "fuzz.example";

// What of a fuzz run its lanes share: the numbers of cases given out, journal, expectations,
// kinds of failure seen, findings. All members may be called by any lane.
class FuzzRecord {
 public:
  FuzzRecord(const FuzzOptions& options, const gpu::Identity& identity);

  // The next case that has not been run, or nothing when the run is over.
  std::optional<PlannedCase> next();

  // Whether cases, seconds or failures are used up.
  bool over();

  // Applies the expectations of the other target, too, to where it disagrees.
  void knowAgainst(const gpu::Identity& identity);

  // Leave to hold one relation against a case; it counts as a case. False when the run is over.
  bool takeRelation();

  // Journals a verdict. Returns whether it is a failure of a new kind, to be investigated. Examples
  // of the database, of family kExampleFamily, make no kind an old one: another failure of the same
  // kind may have another cause.
  bool verdict(const Subject& subject, const Judgement& judgement, double seconds,
               std::string_view family, const std::vector<std::string>& attempts = {},
               const std::string& workerStderr = {});

  // Keeps the finding that a failure, judged like `found`, was shrunk to: bundle, database, and a
  // few words. Where the database holds it already, nothing is kept, and the next failure of that
  // kind is investigated in its stead; after a few of those the kind counts as known.
  void finding(Finding finding, const Judgement& found, const std::optional<Lane::Trial>& trial);

  void executed(uint64_t executions);
  void stop() { stopped_ = true; }

  const std::filesystem::path& journalFile() const { return journalFile_; }
  Database& database() { return database_; }
  FuzzResult finish();

 private:
  void openJournal();
  bool overLocked() const;
  double elapsed() const;

  using Clock = std::chrono::steady_clock;

  const FuzzOptions& options_;
  const gpu::Identity& identity_;
  std::filesystem::path journalFile_;
  Database database_;
  Clock::time_point start_ = Clock::now();
  std::atomic<bool> stopped_ = false;

  std::mutex mutex_;  // of what follows
  std::optional<JournalWriter> journal_;
  Progress progress_;
  Expectations expectations_;
  std::optional<Expectations> expectationsAgainst_;
  std::unordered_set<uint64_t> done_;                   // of an earlier run that this one resumes
  std::unordered_set<uint64_t> started_;                // hashes of case strings
  std::unordered_set<std::string> kinds_;               // investigated
  std::unordered_map<std::string, int> rediscoveries_;  // of what the database holds, by kind
  uint64_t nextIndex_ = 0;
  uint64_t given_ = 0;
  FuzzStatistics statistics_;
  std::vector<Finding> findings_;
};

}  // namespace dmlcts

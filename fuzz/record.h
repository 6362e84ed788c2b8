#pragma once

#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "conformance/run/expectations/expectations.h"
#include "conformance/run/progress.h"
#include "conformance/run/run_folder.h"
#include "fuzz/campaign.h"
#include "fuzz/database.h"
#include "fuzz/failures.h"
#include "reports/journal/journal.h"

namespace dmlcts {

// Family of the database's examples.
inline constexpr std::string_view kExampleFamily = "fuzz.example";

struct FuzzedCase {
  ScheduledCase planned;
  uint64_t number = 0;
  bool again = false;  // it has its verdict, and is only to be compared with the other target
};

// State of a fuzz run that lanes share: case numbers, journal, expectations, kinds of failure,
// findings. Thread-safe.
class FuzzRecord {
 public:
  static constexpr uint64_t kRelationEvery = 96;   // cases
  static constexpr uint64_t kLargestChunk = 2048;  // cases of a lane
  static constexpr uint32_t kMostLanes = 8;        // that chunks grow with

  // Reads the user's files before anything in the folder changes. `against`: the identity of
  // the other target, whose expectations apply to where it disagrees; or null.
  FuzzRecord(const FuzzOptions& options, const gpu::Identity& identity,
             const gpu::Identity* against);

  // True if the resumed run has replayed the example already, or was past its examples.
  bool replayed(const Example& example);

  // A run goes through chunks of the sequence: all lanes run its cases, then draw its relations,
  // then investigate the failures. So nothing depends on which lane is first. False once cases,
  // seconds or failures are used up.
  bool beginChunk();

  // The next case of the chunk that has not been run, or nothing. With another target, cases of the
  // last chunk of an earlier session come again: a kill may have come before they were compared.
  std::optional<FuzzedCase> next();

  // The first failures that are to be investigated now, of `lanes` kinds at most.
  std::vector<FuzzFailure> nextFailures(size_t lanes);

  // The number of the last case of a stretch from which a relation is to be drawn, which counts as
  // a case; or nothing.
  std::optional<uint64_t> nextRelation();

  // True if an earlier session journaled that the other target disagrees about this case.
  bool disagreed(uint64_t number) const { return disagreed_.contains(number); }

  // Returns why the case must not be sent to either target, or nothing.
  std::optional<std::string> whySkipped(const Case& testCase) const;

  // True once the seconds are used up, or the run was told to stop: targets are asked nothing more.
  bool timeIsUp() const;

  // Journals a verdict, and keeps a failure for investigation. Examples of the database, of family
  // kExampleFamily, do not make their kind an old one: another failure of the same kind may have
  // another cause. `prepared`: the case as it was sent, if by itself.
  void verdict(const Subject& subject, uint64_t number, const Judgement& judgement, double seconds,
               std::string_view family, const std::vector<std::string>& attempts = {},
               const std::string& workerStderr = {}, const PreparedCase* prepared = nullptr);

  // Stores a shrunk finding: database, bundle, and a line on the terminal. If the database already
  // has it, stores nothing and lets the next failure of its kind be investigated. After a few of
  // those the kind counts as known.
  void finding(const FuzzFailure& failure, const Finding& finding,
               const std::optional<CaseOutcome>& trial);

  // Counts a failure of a new kind that no time was left to shrink: --resume does.
  void unshrunk(const FuzzFailure& failure);

  // Journals what happened to a worker outside any case.
  void workerFailure(JournalWorkerFailure workerFailure);

  void executed(uint64_t executions);
  void stop();

  Database& database() { return database_; }

  // The result so far, for a single lane.
  FuzzResult& result() { return result_; }

  // Writes the reports, and completes the result.
  FuzzResult finish();

 private:
  Expectations readExpectations(const gpu::Identity& identity) const;
  void resume();
  void keepForInvestigation(const JournalEntry& entry, const Judgement& judgement);
  void begin();
  struct Chunk {  // ends before a place in the sequence
    uint64_t end;
    uint64_t size;
  };
  static Chunk chunkOf(uint64_t index, uint32_t jobs);
  bool overLocked() const;
  bool foundEnough() const;
  double elapsed() const;

  using Clock = std::chrono::steady_clock;

  const FuzzOptions& options_;
  const gpu::Identity& identity_;
  Database database_;
  Clock::time_point start_;

  std::mutex drawing_;  // held while a case is drawn: which ones are follows from their order
  std::mutex mutex_;    // guards the members below
  bool stopped_ = false;
  Progress progress_;
  Expectations expectations_;
  std::optional<Expectations> expectationsAgainst_;
  RunFolder folder_;
  Failures failures_;
  std::unordered_multiset<std::string> replayed_;  // examples, by case string
  bool pastExamples_ = false;                      // an earlier session was
  std::unordered_set<uint64_t> done_;              // of an earlier run that this one resumes
  std::unordered_set<uint64_t> relationsDone_;     // likewise, by number
  std::unordered_set<uint64_t> disagreed_;         // likewise
  uint64_t again_ = UINT64_MAX;                    // index from which cases come again
  std::unordered_set<uint64_t> started_;           // hashes of case strings
  std::deque<uint64_t> relations_;                 // to be drawn, by number
  uint64_t chunkEnd_ = 0;
  uint64_t nextIndex_ = 0;
  uint64_t given_ = 0;  // cases and relations up to there, those of earlier sessions, too
  FuzzResult result_;
};

}  // namespace dmlcts

#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "conformance/run/expectations.h"
#include "conformance/run/progress.h"
#include "conformance/run/run_folder.h"
#include "fuzz/campaign.h"
#include "fuzz/database.h"
#include "reports/journal/journal.h"

namespace dmlcts {

// Families of the database's examples and of generated programs.
inline constexpr std::string_view kExampleFamily = "fuzz.example";
inline constexpr std::string_view kSequenceFamily = "fuzz.sequence";

// A failure to investigate.
struct FuzzFailure {
  static constexpr size_t kRanBefore = 32;  // earlier cases that it may depend on

  Subject subject;
  Judgement judgement;
  uint64_t number = 0;          // of JournalEntry
  std::optional<size_t> place;  // in its lane's chunk; else:
  std::vector<Case> ranBefore;  // as an earlier session's journal has it

  // Failures are investigated in the order of the seed's sequence, whatever came when: a case, what
  // the other target makes of it, and the relation that is drawn up to it.
  std::pair<uint64_t, int> order() const {
    return {number, subject.relation ? 2 : subject.against ? 1 : 0};
  }
};

struct FuzzedCase {
  ScheduledCase planned;
  uint64_t number = 0;
  bool again = false;  // it has its verdict, and is only to be compared with the other target
};

// State of a fuzz run that lanes share: case numbers, journal, expectations, kinds of failure,
// findings. Thread-safe.
class FuzzRecord {
 public:
  static constexpr uint64_t kRelationEvery = 96;  // cases

  // Reads the user's files before anything in the folder changes. `against`: the identity of
  // the other target, whose expectations apply to where it disagrees; or null.
  FuzzRecord(const FuzzOptions& options, const gpu::Identity& identity,
             const gpu::Identity* against);

  // Failures that a resumed run journaled but did not investigate. Call once.
  std::vector<FuzzFailure> takeUninvestigated() { return std::move(uninvestigated_); }

  // True for a failure that is to be investigated now: of a kind that has no finding yet, is not
  // being looked at, and was not shrunk to old examples too often.
  bool claim(const FuzzFailure& failure);

  // Whether the run that is resumed has replayed the example already, or was past its examples.
  bool replayed(const Example& example);

  // Where the next chunk ends in the sequence, and how many cases it has at most. Ends follow from
  // the sequence, so that a resumed run has those of one that nobody killed.
  struct Chunk {
    uint64_t end;
    uint64_t size;
  };
  Chunk nextChunk();

  // The next case before `end` that has not been run, or nothing. With another target, cases of the
  // last chunk of an earlier session come again: a kill may have come before they were compared.
  std::optional<FuzzedCase> next(uint64_t end);

  // The index of the next program, or nothing.
  std::optional<uint64_t> nextProgram();

  // Counts what a program consists of.
  void drawn(const DrawnProgram& program);

  // Cases with a number up to this have been given out.
  uint64_t reached();

  // The number of the last case of a stretch from which a relation is to be drawn, which counts as
  // a case; or nothing.
  std::optional<uint64_t> nextRelation();

  // True if an earlier session journaled that the other target disagrees about this case.
  bool disagreed(uint64_t number) const { return disagreed_.contains(number); }

  // Returns why the case must not be sent to either target, or nothing.
  std::optional<std::string> whySkipped(const Case& testCase) const;

  // True if cases, seconds or failures are used up.
  bool over();

  // True once the seconds are used up, or the run was told to stop: targets are asked nothing more.
  bool timeIsUp() const;

  // True once enough failures are investigated, or the run was told to stop.
  bool investigatedEnough();

  // Journals a verdict. Returns whether it is a failure that may have to be investigated. Examples
  // of the database, of family kExampleFamily, do not make their kind an old one: another failure
  // of the same kind may have another cause. `prepared`: the case as it was sent, if by itself.
  bool verdict(const Subject& subject, uint64_t number, const Judgement& judgement, double seconds,
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
  void begin();
  static Chunk chunkOf(uint64_t index, uint64_t jobs);
  bool isOpen(const std::string& kind, Verdict verdict) const;
  bool overLocked() const;
  bool foundEnough() const;
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
  std::vector<FuzzFailure> uninvestigated_;
  std::unordered_multiset<std::string> replayed_;       // examples, by case string
  std::unordered_set<std::string> unshrunk_;            // kinds that need more time
  bool pastExamples_ = false;                           // an earlier session was
  std::unordered_set<uint64_t> done_;                   // of an earlier run that this one resumes
  std::unordered_set<uint64_t> relationsDone_;          // likewise, by number
  std::unordered_set<uint64_t> disagreed_;              // likewise
  uint64_t again_ = UINT64_MAX;                         // index from which cases come again
  std::unordered_set<uint64_t> started_;                // hashes of case strings
  std::unordered_set<std::string> settled_;             // kinds that have a finding
  std::unordered_set<std::string> investigating_;       // kinds that a lane is looking at
  std::unordered_map<std::string, int> rediscoveries_;  // of what the database holds, by kind
  size_t exhausted_ = 0;                                // kinds that have as many as there may be
  std::deque<uint64_t> relations_;                      // to be drawn, by number
  uint64_t nextIndex_ = 0;
  uint64_t given_ = 0;  // cases and relations up to there, those of earlier sessions, too
  FuzzStatistics statistics_;
  SequenceStatistics sequences_;
  std::vector<Finding> findings_;
  size_t foundBefore_ = 0;
};

}  // namespace dmlcts

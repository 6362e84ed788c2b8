#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "conformance/run/lane/lane.h"
#include "conformance/run/replay/cases_before.h"
#include "conformance/run/schedule.h"
#include "reports/journal/journal.h"

// When a failure occurs (reports/journal/when.h): asked after the cases of a run, of the first
// failure of each kind. No verdict depends on the answers.

namespace dmlcts {

// A failure that stands for its kind.
struct FailureSeen {
  size_t place = 0;  // in the schedule
  Verdict verdict = Verdict::Fail;
  Kinds kinds;
  bool onlyTogether = false;  // several cases lose the worker in one message, none alone
  Sent sent;
};

// The failures of a run, of each kind the first and the last.
class FailuresSeen {
 public:
  struct OfKind {
    std::string kind;  // failureKind()
    FailureSeen first;
    FailureSeen last;
  };

  // Adds the outcome of a case that was sent; ignores other verdicts than failures of the target.
  void add(const JournalEntry& entry, size_t place, const Sent& sent);

  // Leaves out a kind that an earlier session asked about.
  void leaveOut(const std::string& kind) { asked_.insert(kind); }

  // In the order in which the run met them, at most kMost.
  const std::vector<OfKind>& kinds() const { return kinds_; }

  static constexpr size_t kMost = 8;

 private:
  std::unordered_set<std::string> asked_;
  std::vector<OfKind> kinds_;
};

class Investigation {
 public:
  // `used`: a lane whose worker ran cases; no other worker runs meanwhile. `tier`: whose cases
  // `dmlcts replay --after` will send. All references must outlive this.
  Investigation(const LaneOptions& options, Lane& used, const Schedule& schedule,
                const std::string& tier, uint32_t jobs);

  // Asks about each kind, within bounds of number and time, and hands on each answer.
  void ask(const FailuresSeen& failures,
           const std::function<void(const JournalInvestigation&)>& take);

 private:
  using Clock = std::chrono::steady_clock;

  // Tries in the same circumstances.
  struct Tally {
    uint64_t failed = 0;
    uint64_t tries = 0;
    bool mixed() const { return failed > 0 && failed < tries; }
    bool always() const { return tries > 0 && failed == tries; }
  };

  // A worker that answered nothing yet.
  class Fresh;

  When askOne(const FailureSeen& seen, const FailureSeen* last);
  bool spent() const;
  bool cancelled() const;
  const Case& caseOf(const FailureSeen& seen) const;
  LaneOptions optionsFor(const FailureSeen& seen) const;
  bool failsAgain(const FailureSeen& seen, const Judgement& judgement) const;
  Tally tryAlone(const FailureSeen& seen, Lane& lane, uint64_t most);
  When sometimes(const FailureSeen& seen, Lane& lane, Tally tally);

  // True if a new worker fails the case behind these. Shortens `before` to what the worker had
  // answered when it was lost.
  bool failsBehind(const FailureSeen& seen, std::vector<const Case*>& before);
  std::vector<const Case*> tierBefore(const FailureSeen& seen, uint64_t count);
  std::vector<const Case*> historyOf(const FailureSeen& seen) const;
  std::optional<When> askHistory(const FailureSeen& seen);
  std::optional<When> fewestOf(const FailureSeen& seen, uint64_t enough,
                               const std::function<std::vector<const Case*>(uint64_t)>& last,
                               bool ofTier);
  std::optional<When> askCompany(const FailureSeen& seen);

  const LaneOptions& options_;
  Lane& used_;
  const Schedule& schedule_;
  Tier tier_;
  uint32_t jobs_;
  std::optional<CasesBefore> before_;  // made when first needed
  Clock::time_point end_;              // of the time for all kinds
  Clock::time_point endOfKind_;
  int searches_ = 0;  // left for the kind
  bool lastPasses_ = false;
};

}  // namespace dmlcts

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/summary/summary.h"
#include "reports/text/escape.h"

// Two runs, case by case: the changes that another driver, runtime or DirectML version makes.

namespace dmlcts {

enum class RunChange : uint8_t {
  Broken,    // fails now, and did not before
  Weakened,  // passed before, and proves nothing now; or newly NotSupported, which fails the run
  StillFailing,  // fails in both
  Fixed,         // failed before, and passes now
  Otherwise,     // any other change of verdict
  NewlyCovered,  // only in the second run
  NoLongerRun,   // only in the first run
};

inline constexpr std::array kChanges{
    RunChange::Broken,    RunChange::Weakened,     RunChange::StillFailing, RunChange::Fixed,
    RunChange::Otherwise, RunChange::NewlyCovered, RunChange::NoLongerRun};

// Returns "broken", "stillFailing", …, as in the JSON form.
std::string_view name(RunChange change);

struct CaseChange {
  RunChange change = RunChange::Broken;
  const JournalEntry* before = nullptr;  // null if the run lacks the case
  const JournalEntry* after = nullptr;
  const JournalEntry& entry() const { return *(after ? after : before); }
};

// Consecutive levels of an operator that conformed in the first run and are not shown to conform in
// the second.
struct LostLevels {
  std::string op;
  std::string from;
  std::string through;
  std::string why;  // "broken", "filtered", …
};

// Points into the reports that it was made from.
struct Diff {
  const Report* before = nullptr;
  const Report* after = nullptr;
  std::vector<CaseChange> changes;  // by change, then in the order of the reports
  uint64_t unchanged = 0;           // cases whose verdict is the same in both, except failures
  std::vector<LostLevels> lostLevels;
  // The causes of the broken cases, found among the cases that both runs have; indices into
  // after->cases.
  std::vector<Cluster> clusters;
  // Reason why the second run cannot show that nothing got worse: it ended early, shares no case
  // with the first, or the harness failed; or "".
  std::string shortfall;

  uint64_t count(RunChange change) const;
  uint64_t shared() const;  // number of cases that both runs have
  // True if a verdict could change between the runs without any change in the target.
  bool otherSpecification() const {
    return before->run.specification != after->run.specification ||
           before->run.strict != after->run.strict;
  }
  // Returns other explanations for the changes than the target's behaviour, one clause each.
  std::vector<std::string> warnings() const;
  bool newWorkerFailures() const {
    return before->workerFailures.empty() && !after->workerFailures.empty();
  }
  // True if something right is wrong now, or no longer shown to be right. Cases that only one run
  // has do not count, but a level that lacks them no longer conforms.
  bool regression() const {
    return count(RunChange::Broken) + count(RunChange::Weakened) > 0 || newWorkerFailures() ||
           !lostLevels.empty();
  }
  // Returns 3 if the harness failed or the runs share no case, 1 on a regression or a shortfall.
  int exitStatus() const {
    const bool harnessFailed = after->totals[Verdict::InternalError] > 0;
    return dmlcts::exitStatus(harnessFailed || shared() == 0, regression() || !shortfall.empty());
  }
};

Diff compareReports(const Report& before, const Report& after);

std::string diffText(const Diff& diff);
// Lists at most `maxRows` rows of each kind.
ReportDocument toDocument(const Diff& diff, size_t maxRows);

}  // namespace dmlcts

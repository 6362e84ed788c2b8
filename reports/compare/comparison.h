#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/summary/summary.h"

// Runs side by side: what each of them showed, and the cases that changed from the first to the
// last. One table, which text, Markdown, JSON and the page render (reports/render/writers.h).

namespace dmlcts {

enum class RunChange : uint8_t {
  Broken,    // fails in the last run, and did not in the first
  Weakened,  // passed in the first, and proves nothing in the last; or newly NotSupported, which
             // fails the run
  ByChance,  // Flaky in one of the two, where the other run had no failure
  StillFailing,  // fails in both
  Fixed,         // failed in the first, and passes in the last
  Otherwise,     // any other change of verdict
  InBetween,     // has the same verdict in both, and another one in a run between them
  NewlyCovered,  // only in the last
  NoLongerRun,   // only in the first
};

inline constexpr std::array kChanges{
    RunChange::Broken,       RunChange::Weakened,     RunChange::ByChance,
    RunChange::StillFailing, RunChange::Fixed,        RunChange::Otherwise,
    RunChange::InBetween,    RunChange::NewlyCovered, RunChange::NoLongerRun};

// Returns "broken", "stillFailing", …, as in the JSON form.
std::string_view name(RunChange change);

// Returns a distinct name for each path: the last part that is not the same in all, so that of
// "nights/a/run" and "nights/b/run" it is "a" and "b". Returns nothing if these are not distinct.
std::vector<std::string> distinctNames(std::vector<std::filesystem::path> paths);

// A run to compare.
struct ComparedRun {
  std::string name;        // of its folder
  Report report = {};      // without its cases once it lies between two others
  std::string page = {};   // the run's own page, relative to the comparison's; "" if unknown
  std::string note = {};   // what else is known of it: a night's other parts
  std::string doubt = {};  // whyUnproven(); compareRuns() fills it in
};

struct CaseChange {
  RunChange change = RunChange::Broken;
  const JournalEntry* before = nullptr;  // in the first run; null if it lacks the case
  const JournalEntry* after = nullptr;   // in the last run
  // One for each run; nothing if it lacks the case. Empty if only two runs are compared.
  std::vector<std::optional<Verdict>> verdicts = {};
  const JournalEntry& entry() const { return *(after ? after : before); }
};

// Consecutive levels of an operator that conformed in the first run and are not shown to conform in
// the last.
struct LostLevels {
  std::string op;
  std::string from;
  std::string through;
  std::string why;  // "broken", "filtered", …
};

// Consecutive levels of an operator of which each run says the same, apart from numbers.
struct ComparedLevels {
  struct Cell {
    Compliance status = Compliance::NotRun;
    std::string statement = {};  // "conforms on the smoke tier", "broken"
    uint64_t passed = 0;
    uint64_t of = 0;  // cases that ran
  };

  std::string op;
  std::string from;
  std::string through;
  std::vector<Cell> cells;  // one for each run

  std::string levels() const;  // "4.0", "4.0 to 6.4"
};

// A cause of a target's failures, found among the cases of all of its runs on a driver and counted
// in all of its runs; or a rule that the target does not keep without failing.
struct ComparedCause {
  struct Cell {
    uint64_t found = 0;  // cases that show it
    uint64_t of = 0;     // cases that could
  };

  std::string target;
  std::string query;  // "" if no query explains its cases
  CauseRule rule;
  std::string headline;
  std::string shortest;     // the case with the shortest string
  std::string message;      // of that case
  std::vector<Cell> cells;  // one for each run
};

// Has pointers into its own runs.
struct RunComparison {
  std::vector<ComparedRun> runs;    // if there is none, nothing else is known
  std::vector<CaseChange> changes;  // by change, then in the order of the reports
  uint64_t unchanged = 0;           // cases whose verdict is the same in all runs, except failures
  std::vector<LostLevels> lostLevels;
  // The causes of the broken cases, found among the cases that the first and the last run have;
  // indices into last().cases.
  std::vector<Cluster> clusters;
  std::vector<ComparedLevels> levels;
  std::vector<ComparedCause> causes;  // by target
  // Other explanations for the changes than the target's behaviour, one clause each.
  std::vector<std::string> warnings;
  // Reason why the last run cannot show that nothing got worse: it ended early, shares no case with
  // the first, or the harness failed; or "".
  std::string shortfall;

  RunComparison() = default;
  RunComparison(RunComparison&&) = default;
  RunComparison& operator=(RunComparison&&) = default;

  const Report& first() const { return runs.front().report; }
  const Report& last() const { return runs.back().report; }
  uint64_t count(RunChange change) const;
  uint64_t shared() const;  // number of cases that the first and the last run have
  bool newWorkerFailures() const {
    return first().workerFailures.empty() && !last().workerFailures.empty();
  }
  // True if something right is wrong in the last run, or no longer shown to be right. Cases that
  // only one run has do not count, but a level that lacks them no longer conforms. A case that is
  // newly Flaky counts: it fails the last run, whatever made it fail.
  bool regression() const;
  // Returns 3 if the harness failed or the runs share no case, 1 on a regression or a shortfall.
  int exitStatus() const;

  // "3 cases broken, gather_nd 2.1 to 6.4 no longer shown to conform."
  std::string headline() const;
};

// Returns the device and what drives it: adapter, driver, runtime, shader model and mode.
std::string driverOf(const JournalHeader& run);

// Returns why nothing in this report can be a claim, or "". Examples: it is incomplete, filtered,
// has conflicts, or follows another specification edition than this suite.
std::string whyUnproven(const Report& report);

enum class RunOrder { AsGiven, ByStart };

// Compares runs, which `read` returns by index, each once; nothing where there is no run. Holds the
// cases of three runs at a time, and those of runs with failures together. Runs that start at the
// same time stay in the order given.
RunComparison compareRuns(size_t runs,
                          const std::function<std::optional<ComparedRun>(size_t)>& read,
                          RunOrder order);

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/counted.h"
#include "reports/summary/summary.h"
#include "reports/text/escape.h"

// Says what a report says, once for all its forms. Counts, names and the sentence are in
// wording.cpp; the other sources are named where what they define begins.

namespace dmlcts {

// "1,204 of 2,311 pass, 1,107 not supported"; with the noun "case": "1,204 of 2,311 cases pass, …".
std::string tally(const Totals& totals, std::string_view noun = "");

// Returns "9 Fail, 2 Crash": the verdicts that occur, first those that need attention.
std::string listVerdicts(const Totals& totals);

// Returns the count of each verdict that occurs.
ReportDocument toDocument(const Totals& totals);

// "70 cases that match the rest of the query but not has=minus-zero pass"; `rest` is false for a
// query of that term alone.
std::string passWithout(uint64_t number, std::string_view noun, std::string_view term, bool rest);

// Names what chose the cases, apart from a file of cases: "queries and --mode"; or "".
std::string chosenBy(const Report& report);

// Returns "the journals disagree on adapter, driver".
std::string disagreementOf(const Report& report);

// "0.2.0 05948760c447"
std::string suiteOf(const JournalHeader& run);

// Warns of two runs that a change of the suite, not of the target, may have made different; or "".
std::string otherSuite(const JournalHeader& before, const JournalHeader& after);

// Lists what identifies a run, each with its value or "": the same names for every run.
using Facts = std::vector<std::pair<std::string, std::string>>;
Facts factsOf(const Report& report);

// Returns the case's first difference, or its message without one.
std::string firstWords(const JournalEntry& entry);

// Returns the last lines of the worker's stderr, where the worker was lost; or "".
std::string lastWords(const JournalEntry& entry);

// Wrong elements among all elements of a case's outputs, including rows past the count.
struct WrongElements {
  uint64_t wrong = 0;
  uint64_t all = 0;
};

// Nothing if none is known to be wrong, or the case string belongs to another version.
std::optional<WrongElements> wrongElements(const JournalEntry& entry);

// NotRun::what for cases that an expectations file keeps from the target.
inline constexpr std::string_view kSkipped = "Skipped, as an expectations file says";
// NotRun::what for cases that the target or its worker does not support.
inline constexpr std::string_view kNotSupported = "Not supported by the target";

// Causes (cause_wording.cpp).

// Returns "1 fault, 3,411 failing cases" or "2 faults in 30 of 34 failing cases"; "" without
// failures.
std::string faultsOf(const Report& report);

// Returns the cause in words and as a query: "3,411 Fail: every case with a negative index
// (has=negative-index)"; "3,411 Fail of 3,468 cases with …" if 57 pass.
std::string headlineOf(const Cluster& cluster);

// "all data types; ranks 2 to 8; levels 3.0 to 6.4; 20,100 cases that do not match
// has=negative-index pass"
std::string extentOf(const Cluster& cluster);

// Returns "breaks nonzero_coordinates.count: OutputCountTensor holds …"; "exercises
// gather_nd.gather: …" if it is not certain which rule was broken; without a common rule, the one
// that the shortest case broke, or "".
std::string ruleTextOf(const Report& report, const Cluster& cluster);

// Cases that were not run (not_run.cpp).

// Returns the limit that a NotSupported message names: sizes, which differ from case to case, are
// `*`. Also a pattern for an expectation's message.
std::string limitOf(std::string_view message);

// Returns what a run left out, with reasons: shards, tiers, levels, unsupported features, rules
// that no test can check. Reads all of the report except `notRun`.
std::vector<NotRun> findNotRun(const Report& report);

// Returns a waived case's reason, the part of its message before the verdict: "accepts FLOAT64" for
// "accepts FLOAT64; Fail: was accepted".
std::string_view reasonIn(std::string_view message);

// Groups the waived cases by reason; most cases first.
std::vector<Waiver> findWaivers(const std::vector<JournalEntry>& cases);

// The verdict (conclusion.cpp).

// Sums up the report in one quotable sentence: the target, device, driver and result. It names the
// levels that conform, by judgeLevels(); otherwise it says that the implementation does not
// conform, or that nothing is shown. Strings from a target are cut, not escaped. No full stop.
//
// "DirectML 1.15.4 on NVIDIA H200, driver 31.0.13.4052, Wine 10.0: does not conform at
// nonzero_coordinates 4.0: 1 of 91,900 cases fails; rules of 2026-11"
std::string sentenceOf(const Report& report);

// Returns a level's statement or a claim's: "conforms on the default tier", "incomplete: 12 of
// 4,400 cases ran, all passed".
std::string statementOf(const Report& report, const ComplianceRow& row);

// "avoids a fault of its driver: …", or "" if the target reported none.
std::string avoidedFaultOf(const JournalHeader& run);

struct Conclusion {
  enum class Tone { Good, Attention, Bad };
  Tone tone = Tone::Attention;
  std::string sentence;  // sentenceOf()
  std::string headline;  // "All 24,310 cases as expected.", "Filtered: 2 of 3 cases …"
  std::string detail;    // "9 Fail, 3 Crash. Besides: 2 Waived."; or ""
  std::vector<std::string>
      remarks;  // limits of the conclusion, one sentence each: filters, worker failures, gaps
};

Conclusion conclude(const Report& report);

// Commands to type (replay_line.cpp).

// Quotes a command-line word for a POSIX shell if needed. Case strings that dmlcts makes are also
// quoted correctly for cmd.exe and PowerShell.
std::string shellWord(std::string_view text);

// Returns the command line that replays a case, from arguments that are already quoted. Bundles,
// reports and the terminal all show this form.
std::string replayLine(const std::string& arguments, std::string_view caseString);

// Returns a run's replay arguments from its journal, each one quoted; older journals yield only
// some of them.
std::string replayArguments(const JournalHeader& run);

// Likewise, and what makes the case fail: its circumstances.
std::string replayArguments(const Report& report, const JournalEntry& entry);

// Returns the command line that shows the failure, in the circumstances in which it occurs.
std::string replayCommand(const Report& report, const JournalEntry& entry);

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/summary/summary.h"

// The sentences that every rendering of a report shares.

namespace dmlcts {

// "24,310"
std::string grouped(uint64_t number);

// "1 case", "24,310 cases"
std::string counted(uint64_t number, std::string_view noun);

// "1,204 of 2,311 pass, 1,107 not supported"; with the noun "case": "1,204 of 2,311 cases pass, …".
std::string tally(const Totals& totals, std::string_view noun = "");

// "9 Fail, 2 Crash", of the verdicts that occur, those that need attention first.
std::string listVerdicts(const Totals& totals);

// How many of the elements of a case's outputs are wrong, rows past a count among them all.
struct WrongElements {
  uint64_t wrong = 0;
  uint64_t all = 0;
};

// Nothing where none is known to be, or the case string belongs to another version.
std::optional<WrongElements> wrongElements(const JournalEntry& entry);

// NotRun::what of cases that an expectations file keeps from the target.
inline constexpr std::string_view kSkipped = "Skipped, as an expectations file says";
// And of cases that the target or its worker says it cannot do.
inline constexpr std::string_view kNotSupported = "Not supported by the target";

struct Conclusion {
  enum class Tone { Good, Attention, Bad };
  Tone tone = Tone::Attention;
  std::string sentence;  // see sentence.h
  std::string headline;  // "All 24,310 cases as expected.", "Filtered: 2 of 3 cases …"
  std::string detail;    // "9 Fail, 3 Crash. Besides: 2 Waived."; or ""
  std::vector<std::string>
      remarks;  // what limits it: filters, worker failures, gaps; a sentence each
};

Conclusion conclude(const Report& report);

// A word of a command line, quoted for a POSIX shell where it must be (and, for every case string
// that dmlcts itself makes, for cmd.exe and PowerShell too).
std::string shellWord(std::string_view text);

// The command line that runs a case again, out of arguments that are quoted already: the one form
// that bundles, reports and the terminal show.
std::string replayLine(const std::string& arguments, std::string_view caseString);

// The arguments of a run: what its journal says, or of older ones as much as they say.
std::string replayArguments(const JournalHeader& run);

std::string replayCommand(const Report& report, const JournalEntry& entry);

}  // namespace dmlcts

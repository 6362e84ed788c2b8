#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/summary.h"

// The sentences that every rendering of a report shares.

namespace dmlcts {

// "24,310"
std::string grouped(uint64_t number);

// "1 case", "24,310 cases"
std::string counted(uint64_t number, std::string_view noun);

// "9 Fail, 2 Crash", of the verdicts that occur, those that need attention first.
std::string listVerdicts(const Totals& totals);

struct Conclusion {
  enum class Tone { Good, Attention, Bad };
  Tone tone = Tone::Attention;
  std::string headline;              // "All 24,310 cases as expected."
  std::string detail;                // "9 Fail, 3 Crash. Besides: 2 Waived."; or ""
  std::vector<std::string> remarks;  // what limits it: gaps, duplicates, conflicts; a sentence each
};

Conclusion conclude(const Report& report);

// A command line that runs the case again, quoted for a POSIX shell (and, for every case string
// that dmlcts itself makes, for cmd.exe and PowerShell too).
std::string replayCommand(const Report& report, const JournalEntry& entry);

// What an operator's verdicts at a level mean: "holds", "broken", …
std::string words(Compliance compliance);

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/journal/journal.h"

// The rule that a set of failing cases is about. What a single case broke is for the judge to say
// (JournalEntry::violated); here are only the two conclusions that need several cases.

namespace dmlcts {

// A rule, and how certain it is that the target broke it.
struct CauseRule {
  std::string id;       // "" where the cases have no rule in common
  bool broken = false;  // otherwise all of the cases exercise it, and none says what was broken

  // As reports name it: "broken" or "exercised".
  std::string_view is() const { return broken ? "broken" : "exercised"; }
};

// The rule that most of the cases are said to have broken. Where none says, and all that the terms
// of their query match is rejected though valid, the rule that these terms are the bounds of:
// DimensionCount, data types, attributes. "" where neither is known.
std::string brokenRule(std::span<const JournalEntry* const> failing,
                       std::span<const std::string> terms, uint64_t passing);

// Of the rules that all of them exercise, that which fewest cases of the run do, as `casesOf`
// counts them; or "".
std::string commonRule(std::span<const JournalEntry* const> failing,
                       const std::function<uint64_t(std::string_view rule)>& casesOf);

// The one or the other.
CauseRule causeRule(std::span<const JournalEntry* const> failing,
                    std::span<const std::string> terms, uint64_t passing,
                    const std::function<uint64_t(std::string_view rule)>& casesOf);

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/explanation.h"
#include "reports/journal/journal.h"

// Finds the rule that a set of failing cases is about. The judge decides which rule a single case
// broke (JournalEntry::violated); only conclusions that need several cases are here.

namespace dmlcts {

// A rule, and whether the target is known to have broken it.
struct CauseRule {
  std::string id;       // "" if the cases have no rule in common
  bool broken = false;  // if false, all of the cases exercise it, but it may not be the broken one

  // The name in reports: "broken" or "exercised".
  std::string_view is() const { return broken ? "broken" : "exercised"; }
};

// Returns the rule that more than half of the cases broke, as the shortest case's operator names
// it: gather_nd.gather and gather_nd1.gather count as one. If no case names a rule, and everything
// that the query matches is wrongly rejected, returns the rule that bounds the terms:
// DimensionCount, data types, attributes. "" if neither is known.
std::string brokenRule(std::span<const JournalEntry* const> failing, const Cause& cause = {});

// Returns the rarest rule that all of them exercise, by `casesOf`, the number of the run's cases;
// or "".
std::string commonRule(std::span<const JournalEntry* const> failing,
                       const std::function<uint64_t(std::string_view rule)>& casesOf);

// Returns brokenRule() or, without one, commonRule().
CauseRule causeRule(std::span<const JournalEntry* const> failing, const Cause& cause,
                    const std::function<uint64_t(std::string_view rule)>& casesOf);

}  // namespace dmlcts

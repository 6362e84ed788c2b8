#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "conformance/facts/explanation.h"
#include "reports/journal/journal.h"
#include "reports/journal/verdict.h"

// The failures of a run, grouped by what distinguishes them from passing cases
// (conformance/facts/explanation.h).

namespace dmlcts {

// Finds the rule that a set of failing cases is about. The judge decides which rule a single case
// broke (JournalEntry::violated); only conclusions that need several cases are here.

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

struct Report;

// A cause of failures, whose `cases` are indices into Report::cases, and the dimensions of the
// suite that it covers.
struct Cluster : Cause {
  // Values among the failing cases, compared with the run's cases of the same operators.
  struct Dimension {
    std::string name;    // "data types"
    std::string values;  // "f16, f32", "3.0 to 6.4"
    bool whole = false;  // all values that the run has; false if `values` says so as a range
  };

  std::string query;                // "q1 or q2" if only both explain it; "" if no query does
  std::string message;              // of failures whose messages agree; else ""
  When when;                        // as an investigation found out
  std::vector<Cause> alternatives;  // queries after the first one
  CauseRule rule;
  size_t shortest = 0;  // the first failing case by preference()
  Totals totals;
  bool whole = false;        // the failing cases are all cases of the run
  bool amongListed = false;  // found among the listed cases: the report lists only some
  std::vector<Dimension> dimensions;

  // False for the failures that nothing explains.
  bool isCause() const;
};

// Returns the entry's case; nothing if its string belongs to another version or contradicts itself.
std::optional<Case> caseOf(const JournalEntry& entry);

// Returns causes whose `cases` are indices into `entries`.
std::vector<Cause> causesOf(std::span<const JournalEntry* const> entries,
                            const std::function<Evidence(const JournalEntry&)>& evidenceOf);

// Returns the query that matches these failing entries and, of those with few terms, fewest passing
// ones; its `cases` mean nothing.
Cause commonCause(std::span<const JournalEntry* const> entries,
                  const std::set<const JournalEntry*>& failing);

// Returns clusters by number of cases, most first; unexplained failures come last. In this order:
// failures that depend on the process's history or on other workers are one cause, and so are those
// whose messages agree; queries explain the others. A case that passed when repeated counts as
// failing. Causes that break the same rule in mostly the same cases are one.
std::vector<Cluster> findClusters(const Report& report);

// Finds the clusters of `failures` among the cases at `among`, which includes them; indices in
// order.
std::vector<Cluster> findClusters(const Report& report, std::span<const size_t> failures,
                                  std::span<const size_t> among);

// The rules that the failures of a run broke. Rules of several operators that say the same count
// once, by the part of the id that they share: ".gather".
struct BrokenRules {
  std::set<std::string> certain;   // of causes; without any, of the failures themselves
  std::set<std::string> possible;  // others, which only single cases seem to break
};
BrokenRules brokenRules(const Report& report);

// Orders the cases of a cluster: first those that broke its rule, or whose circumstances were
// tried, then by length of the case string. Points into the report.
std::tuple<bool, size_t, const std::string&> preference(const Report& report,
                                                        const Cluster& cluster, size_t index);

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/cases/traits.h"
#include "reports/journal/journal.h"
#include "reports/summary/cause_rule.h"
#include "reports/summary/totals.h"

// The failures of a run, grouped by what failing cases have in common and passing ones have not
// (conformance/cases/explanation.h).

namespace dmlcts {

struct Report;

// A cause, and which dimensions of the suite it covers wholly.
struct Cluster {
  struct Term {
    std::string text;
    uint64_t passWithout = 0;  // passing cases that match the others, not this, and not this one
  };
  // Values among the failing cases, of those that the run has of the same operators.
  struct Dimension {
    std::string name;    // "data types"
    std::string values;  // "f16, f32", "3.0 to 6.4"
    bool whole = false;  // all of them
  };

  std::string query;  // "" of what no query tells from passing cases
  std::vector<Term> terms;
  std::vector<size_t> cases;  // failing ones that it matches, as indices into the report's
  CauseRule rule;
  uint64_t passing = 0;  // cases that it matches, too: not each shows the fault
  size_t shortest = 0;   // of them: the first by preference()
  Totals totals;
  std::vector<Dimension> dimensions;
};

// What the journal says that the inputs of a case hold; nothing where nobody looked.
std::optional<Traits> traitsOf(const JournalEntry& entry);

// By number of cases, most first; what is not explained comes last.
std::vector<Cluster> findClusters(const Report& report);

// The same of some failing cases, told from those at `among`, which has them too; indices in order.
std::vector<Cluster> findClusters(const Report& report, std::span<const size_t> failures,
                                  std::span<const size_t> among);

// "1 fault, 3,411 failing cases", "2 faults in 30 of 34 failing cases"; "" where nothing failed.
std::string faultsOf(const Report& report);

// In words, and as a query: "3,411 Fail: every case with a negative index (has=negative-index)";
// "3,411 Fail of 3,468 cases with …" where 57 pass.
std::string headlineOf(const Cluster& cluster);

// "all 12 data types, ranks 2 to 8, all levels; without has=negative-index 20,100 cases pass"
std::string extentOf(const Cluster& cluster);

// Orders the cases of a cluster: those that broke its rule, where that is known, come first, the
// shortest case string before others. Points into the report.
std::tuple<bool, size_t, const std::string&> preference(const Report& report,
                                                        const Cluster& cluster, size_t index);

// "breaks nonzero_coordinates.count: OutputCountTensor holds …"; "exercises gather_nd.gather: …"
// where nobody can tell which rule was broken; "" where the cases have none in common.
std::string ruleTextOf(const Cluster& cluster);

}  // namespace dmlcts

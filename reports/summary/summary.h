#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/rules.h"
#include "reports/journal/journal.h"
#include "reports/summary/clusters.h"
#include "reports/summary/compliance.h"
#include "reports/summary/coverage.h"
#include "reports/summary/mutants.h"
#include "reports/summary/totals.h"
#include "reports/summary/waivers.h"

// What the journals of one run, or of its shards, say together: the data behind every report.

namespace dmlcts {

// One cell of the matrix operator x level x type x rank.
struct MatrixRow {
  std::string op;
  std::string level;
  std::string type;
  uint32_t rank = 0;
  Totals totals;
  uint64_t executed = 0;  // cases that ran the operator
  uint64_t rejected = 0;  // cases about a descriptor that must be rejected, or only be created
};

// A cell of a matrix without any case.
struct Hole {
  std::string op;
  std::string level;
  std::string type;
  uint32_t rank = 0;
  std::string reason;  // the rule that keeps descriptors out of it, or that the run left it out
};

struct RuleRow {
  std::string id;
  bool known = false;  // in the ledger; if not, only the id and the counts are meaningful
  std::string wording;
  std::string source;
  std::string note;
  std::string from;       // first and
  std::string through;    // last level at which it holds
  std::string checked;    // "by rejecting", "by accepting", "by executing" or "not at all"
  std::string standing;   // "documented", "inferred" or "ours"
  uint64_t violated = 0;  // cases in which the target is known to have broken it
  uint64_t observed = 0;  // cases in which it was not kept, which is no failure
  Totals totals;
  std::vector<std::string> families;  // whose cases exercise it, sorted
};

struct FamilyRow {
  std::string family;
  Totals totals;
  uint64_t executed = 0;
  uint64_t rejected = 0;
  double seconds = 0;
};

// One of the journals' shards.
struct Shard {
  uint32_t index = 0;
  uint64_t planned = 0;
  uint64_t seen = 0;      // distinct case strings with a verdict
  bool failFast = false;  // its last session stopped at a failure, as it was told to
  bool open = false;      // of fuzzing, which plans no cases
  bool complete() const { return open || seen == planned; }
  uint64_t missing() const { return complete() || seen > planned ? 0 : planned - seen; }
};

struct IndexRange {
  uint32_t first = 0;
  uint32_t last = 0;
  bool operator==(const IndexRange&) const = default;
};

// The shards of one schedule.
struct ScheduledShards {
  std::string hash;
  uint32_t shardCount = 1;
  std::vector<Shard> shards;              // that journals were given for, by index
  std::vector<IndexRange> missingShards;  // that none was given for
  bool others = false;                    // the cases are not those that the plan's hash is of
  bool complete() const;
};

// A case string with more than one verdict. The graver one counts in the report.
struct Duplicate {
  std::string caseString;
  Verdict counted = Verdict::Pass;
  Verdict other = Verdict::Pass;
};

// A member in which the headers of the journals differ although they must not.
struct Conflict {
  std::string member;               // as in the journal
  std::vector<std::string> values;  // distinct, in order of appearance; of a map, what differs
};

// What a run did not do.
struct NotRun {
  std::string what;
  std::string why;
  uint64_t cases = 0;  // 0 where nobody counts
};

// How fast one journal went: points in file order, each over a hundredth of its verdicts.
struct RateSeries {
  std::string journal;
  struct Point {
    double seconds = 0;         // spent in cases until then
    double casesPerSecond = 0;  // of time spent in cases
  };
  std::vector<Point> points;
};

struct Report {
  JournalHeader run;               // the first header: identity, command line, start
  std::vector<std::string> hosts;  // distinct
  std::vector<ScheduledShards> schedules;
  std::vector<Conflict> conflicts;
  std::vector<Duplicate> duplicates;
  std::vector<std::string> cutJournals;  // names of journals with an unfinished last line
  std::vector<JournalEntry> cases;       // one per case string; by operator, level, type, rank,
                                         // family, case string
  uint64_t caseCount = 0;                // with those that one of them stands for
  std::vector<size_t> failures;          // indices into cases: isFailure() or InternalError
  std::vector<Cluster> clusters;         // of them, by cause
  Totals totals;
  std::vector<JournalWorkerFailure> workerFailures;  // of workers, outside any case; sorted
  std::vector<std::string> filters;  // queries and level patterns that chose the cases, as given
                                     // on the command line; none: nothing did
  bool halfGate = false;             // the device rejects some descriptors for their level
                                     // alone, and others not
  bool unnamed = false;              // there are verdicts of a target that never said who it is
  std::vector<ComplianceRow> compliance;  // by operator and level
  std::vector<Claim> claims;              // the same in fewer words
  std::vector<MatrixRow> matrix;
  std::vector<Hole> holes;
  std::vector<RuleRow> rules;  // the ledger's order, then those that it lacks
  std::vector<FamilyRow> families;
  uint64_t weak = 0;  // cases that are marked so, which coverage does not count
  std::vector<NotRun> notRun;
  std::vector<Waiver> waivers;
  MutantResults mutants;  // what `dmlcts selftest --json` found; empty unless it was given
  std::vector<GeneratedMutants> generated;  // the same of generated ones
  std::vector<RateSeries> rates;
  double seconds = 0;           // wall clock of all cases together
  std::vector<size_t> slowest;  // at most 10 indices into cases, slowest first

  // Every planned case has one verdict, and the journals agree on what was tested.
  bool complete() const;
  // The same of the shards that journals were given for.
  bool wholeShards() const;
  // Of those shards, the cases that were planned, and those of them without a line.
  uint64_t planned() const;
  uint64_t missing() const;

  // Of pairs and of triples; empty where no case has labels. Measured when first asked for.
  const std::vector<Coverage>& coverage() const;
  mutable std::optional<std::vector<Coverage>> measuredCoverage;
};

// Why the report is not as expected whatever its verdicts are: planned cases of a shard that has a
// journal are without a verdict, the journals do not belong together, or all cases were skipped or
// not asked; or "". Every form of a report counts it as an error.
std::string shortfallOf(const Report& report);

// The exit status of a command about this report, the same in every form of it. Commands that
// expect all shards exit with 1 for an incomplete one themselves.
int exitStatus(const Report& report);

// Never throws on any journal that readJournal returned. The result does not depend on the order
// of the journals, but for `run`, conflicts' values and hosts.
Report summarize(std::span<const Journal> journals, std::span<const Rule> ledger = rules());

// The same, with the journals' entries moved into the report.
Report summarize(std::vector<Journal>&& journals);

}  // namespace dmlcts

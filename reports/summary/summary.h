#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/rules.h"
#include "reports/journal/journal.h"
#include "reports/journal/verdict.h"
#include "reports/summary/clusters.h"
#include "reports/summary/compliance.h"
#include "reports/summary/coverage.h"
#include "reports/text/escape.h"

// Summarizes the journals of one run, or of its shards: the data behind every report.

namespace dmlcts {

struct Report;

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

// A matrix cell without any case.
struct Hole {
  std::string op;
  std::string level;
  std::string type;
  uint32_t rank = 0;
  std::string reason;  // the rule that forbids such descriptors, or that the run has no such case
};

struct RuleRow {
  std::string id;
  const Rule* rule = nullptr;  // null if the ledger lacks it
  uint64_t violated = 0;       // cases in which the target is known to have broken it
  uint64_t observed = 0;       // cases in which it was not kept without failing
  Totals totals;
  std::vector<std::string> families;  // families whose cases exercise it, sorted

  bool is(Checked checked) const { return rule && rule->checked == checked; }
  // The cases that may show whether it is kept: of a rule that every case checks, all of the run.
  const Totals& totalsIn(const Report& report) const;
};

struct FamilyRow {
  std::string family;
  Totals totals;
  uint64_t executed = 0;
  uint64_t rejected = 0;
  double seconds = 0;
};

// A shard that has a journal.
struct Shard {
  uint32_t index = 0;
  uint64_t planned = 0;
  uint64_t seen = 0;      // distinct case strings with a verdict
  bool failFast = false;  // its last session stopped at a failure, as it was told to
  bool complete() const { return seen == planned; }
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
  std::vector<Shard> shards;              // with a journal; by index
  std::vector<IndexRange> missingShards;  // without a journal
  bool others = false;                    // the cases do not match the plan's hash
  bool complete() const;
};

// A case string with more than one verdict. The graver one counts in the report.
struct Duplicate {
  std::string caseString;
  Verdict counted = Verdict::Pass;
  Verdict other = Verdict::Pass;
};

// A header member that must agree between the journals, but does not.
struct Conflict {
  std::string member;               // as in the journal
  std::vector<std::string> values;  // distinct, in order of appearance; for maps, the differences
};

// Something that the run left out.
struct NotRun {
  std::string what;
  std::string why;
  uint64_t cases = 0;  // 0 if unknown
  bool isOfShards = false;
};

// A reason why an expectation file waives failures.
struct Waiver {
  std::string reason;
  uint64_t cases = 0;
};

struct Report {
  std::vector<std::string> journals;  // their names: the paths of files
  std::filesystem::path folder;       // bundles' paths are relative to it; empty if none is known
  JournalHeader run;                  // first header with a target: identity, command line, start
  std::vector<std::string> hosts;     // distinct
  std::vector<ScheduledShards> schedules;
  std::vector<Conflict> conflicts;
  std::vector<Duplicate> duplicates;
  std::vector<std::string> cutJournals;  // journals with an unfinished last line
  std::vector<JournalEntry> cases;       // one per case string; by operator, level, type, rank,
                                         // family, case string
  uint64_t caseCount = 0;                // includes cases that an entry stands for
  std::vector<size_t> failures;          // indices into cases: isFailure() or InternalError
  std::vector<Cluster> clusters;         // the failures, by cause
  Totals totals;
  std::vector<JournalWorkerFailure> workerFailures;  // outside any case; sorted
  std::vector<JournalInvestigation> investigations;  // when kinds of failure occur
  std::vector<std::string> filters;  // options that chose the cases, as given on the command line;
                                     // none: nothing did
  bool halfGate = false;             // the device rejects only some of the descriptors that their
                                     // level alone forbids
  bool unnamed = false;              // there are verdicts of a target that never identified itself
  std::vector<ComplianceRow> compliance;  // by operator and level
  std::vector<Claim> claims;              // the same in fewer words
  std::vector<MatrixRow> matrix;
  std::vector<Hole> holes;
  std::vector<RuleRow> rules;  // in the ledger's order, then rules that it lacks
  std::vector<FamilyRow> families;
  uint64_t weak = 0;  // weak cases, which coverage does not count
  std::vector<NotRun> notRun;
  std::vector<Waiver> waivers;
  ReportDocument mutants;       // as mutants.h reads them; empty unless given
  double seconds = 0;           // wall clock of all cases together
  std::vector<size_t> slowest;  // at most 10 indices into cases, slowest first

  // Its cases were drawn at random: nothing was planned, and no level is spoken of.
  bool isRandom() const { return run.tier == kRandomTier; }

  // Every planned case has one verdict, and the journals agree on what was tested.
  bool complete() const;
  // The same, but only for shards that have a journal.
  bool wholeShards() const;
  // In shards that have a journal: the planned cases, and those without a verdict line.
  uint64_t planned() const;
  uint64_t missing() const;

  // Coverage of pairs; nothing if no case has labels. Measured on first use.
  const std::optional<Coverage>& coverage() const;
  mutable std::optional<std::optional<Coverage>> measuredCoverage;
};

// Returns why the report cannot be as expected, whatever its verdicts, or "". Examples: planned
// cases of a present shard lack a verdict, the journals do not belong together, all cases were
// skipped or not asked, or the target of a strict run avoids a fault of its driver. Every form of a
// report counts it as an error.
std::string shortfallOf(const Report& report);

// Returns the exit status for this report, the same in every form. Commands that expect all shards
// must themselves exit with 1 for an incomplete one.
int exitStatus(const Report& report);

// Never throws on any journal that readJournal returned. The result does not depend on the order
// of the journals, but for `run`, conflicts' values and hosts. Of random cases, the verdicts of a
// case by itself and of relations of it are counted each.
Report summarize(std::span<const Journal> journals);

// Moves the journals' entries into the report.
Report summarize(std::vector<Journal>&& journals);

// Returns the journal with this index. Commands of many runs hold one journal at a time.
using ReadJournal = std::function<Journal(size_t)>;

}  // namespace dmlcts

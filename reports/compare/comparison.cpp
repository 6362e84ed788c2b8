#include "reports/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <unordered_map>

#include "reports/summary/clusters.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

// Cases --------------------------------------------------------------------------------------

// Counts the cases that the target was not asked, or that show nothing of it.
uint64_t notAsked(const Totals& totals) {
  return totals[Verdict::NotAsked] + totals[Verdict::NotSupported] + totals[Verdict::Skipped] +
         totals[Verdict::InternalError];
}

std::optional<RunChange> classify(Verdict before, Verdict after) {
  const bool byChance = before == Verdict::Flaky || after == Verdict::Flaky;
  if (isFailure(before) && isFailure(after)) return RunChange::StillFailing;
  if (isFailure(after)) return byChance ? RunChange::ByChance : RunChange::Broken;
  if (isFailure(before)) {
    if (after != Verdict::Pass) return RunChange::Otherwise;
    return byChance ? RunChange::ByChance : RunChange::Fixed;
  }
  if (before == after) return std::nullopt;
  if (before == Verdict::Pass) return RunChange::Weakened;
  const bool unsupported = after == Verdict::NotSupported && before != Verdict::InternalError;
  return unsupported ? RunChange::Weakened : RunChange::Otherwise;
}

using Verdicts = std::vector<std::optional<Verdict>>;

// A run, with what remains of its cases once they are dropped.
struct Column {
  ComparedRun run;
  Verdicts verdicts;                       // by the number of the case
  std::map<std::string, uint64_t> unkept;  // cases that show it, by rule
};

// The cases of all runs of a target on a driver that failed in some case; of a case that failed, a
// failing entry. Faults of two drivers together would be those of none.
struct Pool {
  Report together;
  std::vector<size_t> numbers;                 // of these cases
  std::unordered_map<size_t, size_t> indexOf;  // by number
};

using Examples = std::map<std::string, JournalEntry>;  // by rule that is not kept

class Comparing {
 public:
  // Takes all that is needed of a run whose cases are dropped later.
  Column add(ComparedRun run) {
    Column column{std::move(run), {}, {}};
    const Report& report = column.run.report;
    column.run.doubt = whyUnproven(report);
    Pool& pool = pools_[{report.run.target, driverOf(report.run)}];
    Examples& examples = examples_[report.run.target];
    for (const JournalEntry& entry : report.cases) {
      const size_t number = numberOf(entry.caseString);
      if (number >= column.verdicts.size()) column.verdicts.resize(number + 1);
      column.verdicts[number] = entry.verdict;
      // Runs without a failure are skipped: they may have run a larger tier, whose passing cases
      // would be false counterexamples.
      if (!report.failures.empty()) addCase(pool, number, entry);
      addUnkept(examples, column, entry);
    }
    return column;
  }

  size_t numberOf(const std::string& caseString) {
    return numbers_.try_emplace(caseString, numbers_.size()).first->second;
  }

  std::vector<ComparedCause> causes(std::span<const Column> columns) {
    std::vector<ComparedCause> all;
    for (const auto& [target, examples] : examples_) {
      addCauses(target, columns, all);
      addRules(target, examples, columns, all);
    }
    return all;
  }

 private:
  static void addCase(Pool& pool, size_t number, const JournalEntry& entry) {
    if (entry.verdict != Verdict::Pass && !isFailure(entry.verdict)) return;
    std::vector<JournalEntry>& cases = pool.together.cases;
    const auto [at, fresh] = pool.indexOf.try_emplace(number, cases.size());
    if (fresh) {
      cases.push_back(entry);
      pool.numbers.push_back(number);
    } else if (isFailure(entry.verdict) && !isFailure(cases[at->second].verdict)) {
      cases[at->second] = entry;
    }
  }

  static void addUnkept(Examples& examples, Column& column, const JournalEntry& entry) {
    std::set<std::string> rules;
    if (entry.verdict == Verdict::Arguable) rules = {entry.violated.begin(), entry.violated.end()};
    for (const auto& [rule, times] : entry.observations) rules.insert(rule);
    for (const std::string& rule : rules) {
      column.unkept[rule] += entry.count();
      const auto [at, fresh] = examples.try_emplace(rule, entry);
      const auto length = [](const JournalEntry& each) {
        return std::pair(each.caseString.size(), std::string_view(each.caseString));
      };
      if (!fresh && length(entry) < length(at->second)) at->second = entry;
    }
  }

  void addCauses(const std::string& target, std::span<const Column> columns,
                 std::vector<ComparedCause>& all) {
    const size_t first = all.size();
    std::vector<std::set<size_t>> numbers;  // of the failing cases of each cause, from the first on
    for (auto& [key, pool] : pools_) {
      Report& together = pool.together;
      if (key.first != target || together.cases.empty()) continue;
      together.run.target = target;
      together.caseCount = together.cases.size();
      for (size_t i = 0; i < together.cases.size(); ++i) {
        together.totals[together.cases[i].verdict] += 1;
        if (isFailure(together.cases[i].verdict)) together.failures.push_back(i);
      }
      for (const Cluster& cluster : findClusters(together)) {
        // Two drivers may have the same.
        size_t at = first;
        while (at < all.size() && (cluster.query.empty() || all[at].query != cluster.query ||
                                   all[at].rule.id != cluster.rule.id)) {
          ++at;
        }
        if (at == all.size()) {
          const JournalEntry& shortest = together.cases[cluster.shortest];
          all.push_back({target,
                         cluster.query,
                         cluster.rule,
                         headlineOf(cluster),
                         shortest.caseString,
                         firstWords(shortest),
                         {}});
          numbers.emplace_back();
        }
        for (size_t index : cluster.cases) numbers[at - first].insert(pool.numbers[index]);
      }
    }
    for (size_t i = first; i < all.size(); ++i) {
      for (const Column& column : columns) {
        const bool isOfTarget = column.run.report.run.target == target;
        all[i].cells.push_back(isOfTarget ? countIn(column, numbers[i - first])
                                          : ComparedCause::Cell{});
      }
    }
  }

  static ComparedCause::Cell countIn(const Column& column, const std::set<size_t>& numbers) {
    ComparedCause::Cell cell;
    for (size_t number : numbers) {
      const auto verdict = number < column.verdicts.size() ? column.verdicts[number] : std::nullopt;
      if (!verdict) continue;
      const bool failed = isFailure(*verdict);
      cell.found += failed;
      cell.of += failed || verdict == Verdict::Pass || verdict == Verdict::Arguable;
    }
    return cell;
  }

  static void addRules(const std::string& target, const Examples& examples,
                       std::span<const Column> columns, std::vector<ComparedCause>& all) {
    for (const auto& [rule, example] : examples) {
      const bool arguable = example.verdict == Verdict::Arguable;
      ComparedCause& cause = all.emplace_back(
          ComparedCause{target,
                        "",
                        {rule, true},
                        arguable ? "an inferred rule is broken, which a vendor could argue about"
                                 : "what no page promises is not kept",
                        example.caseString,
                        firstWords(example),
                        std::vector<ComparedCause::Cell>(columns.size())});
      for (size_t run = 0; run < columns.size(); ++run) {
        const Report& report = columns[run].run.report;
        const auto row = std::ranges::find(report.rules, rule, &RuleRow::id);
        if (report.run.target != target || row == report.rules.end()) continue;
        const auto found = columns[run].unkept.find(rule);
        ComparedCause::Cell& cell = cause.cells[run];
        cell.found = found == columns[run].unkept.end() ? 0 : found->second;
        // A case can break a rule that it does not exercise.
        const Totals& totals = row->totalsIn(report);
        cell.of = std::max(totals.all() - notAsked(totals), cell.found);
      }
    }
  }

  std::unordered_map<std::string, size_t> numbers_;
  std::map<std::pair<std::string, std::string>, Pool> pools_;  // by target and driver
  std::map<std::string, Examples> examples_;                   // by target
};

void findChanges(RunComparison& comparison, std::span<const Column> columns, Comparing& comparing) {
  const Report& before = comparison.first();
  const Report& after = comparison.last();
  std::unordered_map<std::string_view, const JournalEntry*> beforeOf, afterOf;
  for (const JournalEntry& entry : before.cases) beforeOf.emplace(entry.caseString, &entry);
  for (const JournalEntry& entry : after.cases) afterOf.emplace(entry.caseString, &entry);
  const bool several = columns.size() > 2;
  const auto add = [&](RunChange change, const JournalEntry* first, const JournalEntry* last,
                       Verdicts verdicts) {
    comparison.changes.push_back({change, first, last, std::move(verdicts)});
  };
  const auto verdictsOf = [&](const JournalEntry& entry) {
    Verdicts verdicts;
    if (!several) return verdicts;
    const size_t number = comparing.numberOf(entry.caseString);
    for (const Column& column : columns) {
      verdicts.push_back(number < column.verdicts.size() ? column.verdicts[number] : std::nullopt);
    }
    return verdicts;
  };
  std::vector<size_t> broken, told;  // indices of cases that both runs have
  for (size_t i = 0; i < after.cases.size(); ++i) {
    const JournalEntry& entry = after.cases[i];
    const auto found = beforeOf.find(entry.caseString);
    if (found != beforeOf.end() && entry.verdict == Verdict::Pass) told.push_back(i);
    Verdicts verdicts = verdictsOf(entry);
    if (found == beforeOf.end()) {
      add(RunChange::NewlyCovered, nullptr, &entry, std::move(verdicts));
    } else if (const auto change = classify(found->second->verdict, entry.verdict)) {
      add(*change, found->second, &entry, std::move(verdicts));
      if (*change != RunChange::Broken) continue;
      broken.push_back(i);
      told.push_back(i);
    } else if (std::ranges::any_of(verdicts, [&](const std::optional<Verdict>& each) {
                 return each && each != entry.verdict;
               })) {
      add(RunChange::InBetween, found->second, &entry, std::move(verdicts));
    } else {
      ++comparison.unchanged;
    }
  }
  for (const JournalEntry& entry : before.cases) {
    if (afterOf.contains(entry.caseString)) continue;
    add(RunChange::NoLongerRun, &entry, nullptr, verdictsOf(entry));
  }
  std::ranges::stable_sort(comparison.changes, {}, &CaseChange::change);
  // If both runs have the same cases and every failure is new, the report has the clusters already.
  const bool found = broken == after.failures && before.cases.size() == after.cases.size() &&
                     comparison.count(RunChange::NewlyCovered) == 0;
  comparison.clusters = found ? after.clusters : findClusters(after, broken, told);
}

// Levels -------------------------------------------------------------------------------------

// Why a level of the last run is not shown to conform as it was in the first, "" where it is.
std::string whyLost(const Report& before, const ComplianceRow& conformed, const Report& after,
                    const ComplianceRow* now) {
  if (!now) return "not run";
  switch (now->status) {
    case Compliance::Conforms:
      // A smaller tier shows less.
      if (before.run.tier == after.run.tier || now->tierCases >= conformed.tierCases) return "";
      return fmt::format("shown on the {} tier alone, not on the {} tier", after.run.tier,
                         before.run.tier);
    case Compliance::Absent:
      return "absent";
    case Compliance::Broken:
      return "broken";
    case Compliance::Partial:
      return "not every case passed";
    case Compliance::Filtered:
      return "filtered";
    case Compliance::NotSupported:
      return "not supported";
    case Compliance::Unproven:
      return now->reason;
    case Compliance::NotAsked:
      return "not asked: " + now->reason;
    case Compliance::NotRun:
      return "not run";
  }
  return "";
}

std::vector<LostLevels> findLostLevels(const Report& before, const Report& after) {
  std::vector<LostLevels> lost;
  bool follows = false;  // on the last of `lost`
  for (const ComplianceRow& row : before.compliance) {
    std::string why;
    if (row.status == Compliance::Conforms) {
      const auto now = std::ranges::find_if(after.compliance, [&](const ComplianceRow& each) {
        return each.op == row.op && each.level == row.level;
      });
      why = whyLost(before, row, after, now == after.compliance.end() ? nullptr : &*now);
    }
    if (!why.empty() && follows && lost.back().op == row.op && lost.back().why == why) {
      lost.back().through = row.level;
    } else if (!why.empty()) {
      lost.push_back({row.op, row.level, row.level, why});
    }
    follows = !why.empty();
  }
  return lost;
}

// A level is claimed only where nothing of its run is in doubt.
ComparedLevels::Cell cellOf(const ComplianceRow& row, const std::string& doubt) {
  // Numbers and reasons follow.
  ComparedLevels::Cell cell{row.status, row.statement.substr(0, row.statement.find_first_of(":;")),
                            row.totals[Verdict::Pass], row.totals.all() - notAsked(row.totals)};
  const bool isClaim = row.status == Compliance::Conforms || row.status == Compliance::Absent;
  if (isClaim && !doubt.empty()) {
    cell.status = Compliance::Unproven;
    cell.statement = "unproven";
  }
  return cell;
}

// Adds a further level, if each run says the same of it.
bool join(ComparedLevels& levels, const ComparedLevels& next) {
  const auto isSame = [](const ComparedLevels::Cell& a, const ComparedLevels::Cell& b) {
    return a.status == b.status && a.statement == b.statement;
  };
  if (levels.op != next.op || !std::ranges::equal(levels.cells, next.cells, isSame)) return false;
  levels.through = next.through;
  for (size_t run = 0; run < levels.cells.size(); ++run) {
    levels.cells[run].passed += next.cells[run].passed;
    levels.cells[run].of += next.cells[run].of;
  }
  return true;
}

std::vector<ComparedLevels> compareLevels(std::span<const ComparedRun> runs) {
  std::vector<ComparedLevels> all;
  std::map<std::pair<std::string, std::string>, size_t> placeOf;
  for (size_t run = 0; run < runs.size(); ++run) {
    for (const ComplianceRow& row : runs[run].report.compliance) {
      const auto [place, fresh] = placeOf.try_emplace({row.op, row.level}, all.size());
      if (fresh) all.push_back({row.op, row.level, row.level, {}});
      all[place->second].cells.resize(runs.size());
      all[place->second].cells[run] = cellOf(row, runs[run].doubt);
    }
  }
  std::erase_if(all, [](const ComparedLevels& each) {
    return std::ranges::all_of(each.cells, [](const ComparedLevels::Cell& cell) {
      return cell.status == Compliance::NotRun;
    });
  });
  std::ranges::stable_sort(all, {}, &ComparedLevels::op);
  std::vector<ComparedLevels> joined;
  for (ComparedLevels& each : all) {
    if (joined.empty() || !join(joined.back(), each)) joined.push_back(std::move(each));
  }
  return joined;
}

// Warnings -----------------------------------------------------------------------------------

std::vector<std::string> warningsOf(const Report& before, const Report& after) {
  std::vector<std::string> all;
  if (before.run.target != after.run.target) {
    all.push_back(
        fmt::format("the runs are of different targets, {} and {}: a change need not be "
                    "one of driver or version",
                    before.run.target, after.run.target));
  }
  if (std::string suite = otherSuite(before.run, after.run); !suite.empty())
    all.push_back(std::move(suite));
  const bool otherEdition = before.run.specification != after.run.specification;
  if (otherEdition || before.run.strict != after.run.strict) {
    all.push_back(
        fmt::format("the runs were judged {}: a verdict can change without the target",
                    otherEdition ? "by different specification editions" : "strictly in one only"));
  }
  return all;
}

// Returns the warnings. Each one of more than two runs names its two.
std::vector<std::string> findWarnings(std::span<const ComparedRun> runs) {
  if (runs.size() == 2) return warningsOf(runs[0].report, runs[1].report);
  std::vector<std::string> all;
  for (size_t i = 1; i < runs.size(); ++i) {
    for (const std::string& each : warningsOf(runs[i - 1].report, runs[i].report)) {
      all.push_back(fmt::format("{} and {}: {}", runs[i - 1].name, runs[i].name, each));
    }
  }
  return all;
}

std::string findShortfall(const RunComparison& comparison) {
  const Report& last = comparison.last();
  const uint64_t errors = last.totals[Verdict::InternalError];
  if (comparison.shared() == 0) return "the runs share no case";
  if (errors > 0) {
    return "the harness failed in " + counted(errors, "case") + " of the later run";
  }
  return last.missing() > 0 ? "the later run ended before its last case" : "";
}

void dropCases(Report& report) {
  report.cases = {};
  report.failures = {};
  report.clusters = {};
}

}  // namespace

std::vector<std::string> distinctNames(std::vector<std::filesystem::path> paths) {
  const auto allShareTheLast = [&] {
    return std::ranges::all_of(paths, [&](const std::filesystem::path& each) {
      return each.has_relative_path() && each.filename() == paths.front().filename();
    });
  };
  while (paths.size() > 1 && allShareTheLast()) {
    for (std::filesystem::path& each : paths) each = each.parent_path();
  }
  std::vector<std::string> names;
  for (const std::filesystem::path& each : paths) names.push_back(each.filename().string());
  const std::set<std::string> distinct(names.begin(), names.end());
  return distinct.size() == names.size() ? names : std::vector<std::string>();
}

std::string_view name(RunChange change) {
  constexpr std::array<std::string_view, kChanges.size()> kNames{
      "broken",    "weakened",  "byChance",     "stillFailing", "fixed",
      "otherwise", "inBetween", "newlyCovered", "noLongerRun"};
  return kNames.at(static_cast<size_t>(change));
}

std::string ComparedLevels::levels() const {
  return from == through ? from : from + " to " + through;
}

std::string driverOf(const JournalHeader& run) {
  std::string text;
  const auto add = [&](const char* what, const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + (what + part);
  };
  add("", run.adapter);
  add("", run.driver);
  add("", run.runtime);
  add("shader model ", run.shaderModel);
  add("mode ", run.mode);
  return text.empty() ? "no driver" : text;
}

uint64_t RunComparison::count(RunChange change) const {
  return static_cast<uint64_t>(std::ranges::count(changes, change, &CaseChange::change));
}

uint64_t RunComparison::shared() const {
  return unchanged + changes.size() - count(RunChange::NewlyCovered) -
         count(RunChange::NoLongerRun);
}

bool RunComparison::regression() const {
  const bool newlyFlaky = std::ranges::any_of(changes, [](const CaseChange& each) {
    return each.change == RunChange::ByChance && each.after->verdict == Verdict::Flaky;
  });
  return newlyFlaky || count(RunChange::Broken) + count(RunChange::Weakened) > 0 ||
         newWorkerFailures() || !lostLevels.empty();
}

int RunComparison::exitStatus() const {
  const bool harnessFailed = last().totals[Verdict::InternalError] > 0;
  return dmlcts::exitStatus(harnessFailed || shared() == 0, regression() || !shortfall.empty());
}

std::string RunComparison::headline() const {
  if (runs.size() == 1) return "One run: there is none to compare it with.";
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  const uint64_t byChance = count(RunChange::ByChance);
  if (const uint64_t broken = count(RunChange::Broken)) add(counted(broken, "case") + " broken");
  if (const uint64_t weakened = count(RunChange::Weakened))
    add(counted(weakened, "case") + " no longer proved");
  if (byChance > 0) {
    add(fmt::format("{} by chance (Flaky in either run)",
                    byChance == 1 ? "1 case differs" : grouped(byChance) + " cases differ"));
  }
  if (newWorkerFailures())
    add(counted(last().workerFailures.size(), "worker failure") + ", none before");
  for (size_t i = 0; i < lostLevels.size(); ++i) {
    const LostLevels& each = lostLevels[i];
    add(fmt::format("{} {}{}{}", each.op, each.from,
                    each.from == each.through ? "" : " to " + each.through,
                    i + 1 == lostLevels.size() ? " no longer shown to conform" : ""));
  }
  if (!shortfall.empty())
    return (text.empty() ? "Nothing is shown: " : text + "; ") + shortfall + ".";
  if (regression()) return text + ".";
  const bool all = count(RunChange::NewlyCovered) + count(RunChange::NoLongerRun) == 0;
  std::string none =
      all ? "No regression"
          : fmt::format("No regression in the {} that both runs have", counted(shared(), "case"));
  if (!text.empty()) none += "; " + text;
  const uint64_t fixed = count(RunChange::Fixed);
  return none + (fixed > 0 ? "; " + counted(fixed, "case") + " fixed." : ".");
}

std::string whyUnproven(const Report& report) {
  const JournalHeader& run = report.run;
  if (!run.sawTarget()) return "nobody said who was tested";
  if (run.specification != kSpecificationEdition) {
    return fmt::format("judged by specification edition {}, not {}", run.specification,
                       kSpecificationEdition);
  }
  if (const uint64_t errors = report.totals[Verdict::InternalError]; errors > 0) {
    return "the harness failed in " + counted(errors, "case");
  }
  if (!report.workerFailures.empty())
    return counted(report.workerFailures.size(), "worker failure");
  if (!report.conflicts.empty()) return disagreementOf(report);
  if (!report.cutJournals.empty()) {
    return fmt::format("{} is cut in its last line", plainLine(report.cutJournals.front()));
  }
  if (!report.duplicates.empty()) {
    return fmt::format("{} with two verdicts, the first: {}",
                       counted(report.duplicates.size(), "case"),
                       report.duplicates.front().caseString);
  }
  if (!report.complete()) {
    const std::string shortfall = shortfallOf(report);
    const auto shards = std::ranges::find_if(report.notRun, &NotRun::isOfShards);
    return "incomplete: " + (shortfall.empty() ? shards->what + " without a journal" : shortfall);
  }
  if (report.filters.empty()) return "";
  const std::string chosen = chosenBy(report);
  return "its cases were chosen by " + (chosen.empty() ? "--cases" : chosen);
}

RunComparison compareRuns(size_t runs,
                          const std::function<std::optional<ComparedRun>(size_t)>& read,
                          RunOrder order) {
  Comparing comparing;
  std::vector<Column> columns;
  // ISO 8601 in UTC sorts as text.
  const auto startOf = [](const Column& column) { return column.run.report.run.startedAt; };
  for (size_t i = 0; i < runs; ++i) {
    std::optional<ComparedRun> run = read(i);
    if (!run) continue;
    Column column = comparing.add(*std::move(run));
    const auto place = order == RunOrder::AsGiven
                           ? columns.end()
                           : std::ranges::upper_bound(columns, startOf(column), {}, startOf);
    columns.insert(place, std::move(column));
    for (size_t between = 1; between + 1 < columns.size(); ++between) {
      dropCases(columns[between].run.report);
    }
  }
  RunComparison comparison;
  if (columns.empty()) return comparison;
  comparison.causes = comparing.causes(columns);
  for (Column& column : columns) comparison.runs.push_back(std::move(column.run));
  findChanges(comparison, columns, comparing);
  comparison.lostLevels = findLostLevels(comparison.first(), comparison.last());
  comparison.levels = compareLevels(comparison.runs);
  comparison.warnings = findWarnings(comparison.runs);
  comparison.shortfall = findShortfall(comparison);
  return comparison;
}

}  // namespace dmlcts

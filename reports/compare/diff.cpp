#include "reports/compare/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "reports/summary/clusters.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

constexpr size_t kMaxRowsInText = 20;

using Json = ReportDocument;

std::optional<RunChange> classify(Verdict before, Verdict after) {
  if (isFailure(before) && isFailure(after)) return RunChange::StillFailing;
  if (isFailure(after)) return RunChange::Broken;
  if (isFailure(before)) {
    return after == Verdict::Pass ? RunChange::Fixed : RunChange::Otherwise;
  }
  if (before == after) return std::nullopt;
  if (before == Verdict::Pass) return RunChange::Weakened;
  const bool unsupported = after == Verdict::NotSupported && before != Verdict::InternalError;
  return unsupported ? RunChange::Weakened : RunChange::Otherwise;
}

// Why a level of the second run is not shown to conform as it was in the first, "" where it is.
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

// "gather_nd 2.1 to 6.4"
std::string nameOf(const LostLevels& lost) {
  return fmt::format("{} {}{}", lost.op, lost.from,
                     lost.from == lost.through ? "" : " to " + lost.through);
}

std::string headline(const Diff& diff) {
  const uint64_t broken = diff.count(RunChange::Broken);
  const uint64_t weakened = diff.count(RunChange::Weakened);
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  if (broken > 0) add(counted(broken, "case") + " broken");
  if (weakened > 0) add(counted(weakened, "case") + " no longer proved");
  if (diff.newWorkerFailures())
    add(counted(diff.after->workerFailures.size(), "worker failure") + ", none before");
  if (!diff.lostLevels.empty()) {
    std::vector<std::string> names;
    for (const LostLevels& each : diff.lostLevels) names.push_back(nameOf(each));
    add(fmt::format("{} no longer shown to conform", fmt::join(names, ", ")));
  }
  if (!diff.shortfall.empty()) {
    return (text.empty() ? "Nothing is shown: " : text + "; ") + diff.shortfall + ".";
  }
  if (diff.regression()) return text + ".";
  const bool all = diff.count(RunChange::NewlyCovered) + diff.count(RunChange::NoLongerRun) == 0;
  text = all ? "No regression"
             : fmt::format("No regression in the {} that both runs have",
                           counted(diff.shared(), "case"));
  const uint64_t fixed = diff.count(RunChange::Fixed);
  return text + (fixed > 0 ? "; " + counted(fixed, "case") + " fixed." : ".");
}

// Indexed by RunChange.
constexpr std::array<std::string_view, kChanges.size()> kTitles{
    "broken",        "no longer proved", "still failing", "fixed", "otherwise changed",
    "newly covered", "no longer run"};

std::string_view verdictOf(const JournalEntry* entry) {
  return entry ? name(entry->verdict) : "not run";
}

}  // namespace

std::string_view name(RunChange change) {
  constexpr std::array<std::string_view, kChanges.size()> kNames{
      "broken", "weakened", "stillFailing", "fixed", "otherwise", "newlyCovered", "noLongerRun"};
  return kNames.at(static_cast<size_t>(change));
}

std::vector<std::string> Diff::warnings() const {
  std::vector<std::string> all;
  if (before->run.target != after->run.target) {
    all.push_back(
        fmt::format("the runs are of different targets, {} and {}: a change need not be "
                    "one of driver or version",
                    before->run.target, after->run.target));
  }
  if (std::string suite = otherSuite(before->run, after->run); !suite.empty())
    all.push_back(std::move(suite));
  if (otherSpecification()) {
    all.push_back(fmt::format("the runs were judged {}: a verdict can change without the target",
                              before->run.specification != after->run.specification
                                  ? "by different specification editions"
                                  : "strictly in one only"));
  }
  return all;
}

uint64_t Diff::count(RunChange change) const {
  return static_cast<uint64_t>(std::ranges::count(changes, change, &CaseChange::change));
}

uint64_t Diff::shared() const {
  return unchanged + changes.size() - count(RunChange::NewlyCovered) -
         count(RunChange::NoLongerRun);
}

Diff compareReports(const Report& before, const Report& after) {
  Diff diff;
  diff.before = &before;
  diff.after = &after;
  std::unordered_map<std::string_view, const JournalEntry*> beforeOf, afterOf;
  for (const JournalEntry& entry : before.cases) beforeOf.emplace(entry.caseString, &entry);
  for (const JournalEntry& entry : after.cases) afterOf.emplace(entry.caseString, &entry);
  std::vector<size_t> broken, told;  // indices of cases that both runs have
  for (size_t i = 0; i < after.cases.size(); ++i) {
    const JournalEntry& entry = after.cases[i];
    const auto found = beforeOf.find(entry.caseString);
    if (found != beforeOf.end() && entry.verdict == Verdict::Pass) told.push_back(i);
    if (found == beforeOf.end()) {
      diff.changes.push_back({RunChange::NewlyCovered, nullptr, &entry});
    } else if (const auto change = classify(found->second->verdict, entry.verdict)) {
      diff.changes.push_back({*change, found->second, &entry});
      if (*change != RunChange::Broken) continue;
      broken.push_back(i);
      told.push_back(i);
    } else {
      ++diff.unchanged;
    }
  }
  for (const JournalEntry& entry : before.cases) {
    if (!afterOf.contains(entry.caseString)) {
      diff.changes.push_back({RunChange::NoLongerRun, &entry, nullptr});
    }
  }
  std::ranges::stable_sort(diff.changes, {}, &CaseChange::change);
  // If both runs have the same cases and every failure is new, the report has the clusters already.
  const bool found = broken == after.failures && before.cases.size() == after.cases.size() &&
                     diff.count(RunChange::NewlyCovered) == 0;
  diff.clusters = found ? after.clusters : findClusters(after, broken, told);
  diff.lostLevels = findLostLevels(before, after);
  const uint64_t errors = after.totals[Verdict::InternalError];
  if (diff.shared() == 0) {
    diff.shortfall = "the runs share no case";
  } else if (errors > 0) {
    diff.shortfall = "the harness failed in " + counted(errors, "case") + " of the later run";
  } else if (after.missing() > 0) {
    diff.shortfall = "the later run ended before its last case";
  }
  return diff;
}

std::string diffText(const Diff& diff) {
  std::string out;
  const auto add = [&out](const std::string& line) { out += plainLine(line) + '\n'; };
  add(headline(diff));
  add(counted(diff.unchanged, "case") + " unchanged.");
  for (const std::string& warning : diff.warnings()) add("warning: " + warning);
  if (!diff.lostLevels.empty()) out += "\nno longer shown to conform:\n";
  for (const LostLevels& each : diff.lostLevels) {
    add(fmt::format("  {}: {}", nameOf(each), each.why));
  }
  for (RunChange change : kChanges) {
    const uint64_t count = diff.count(change);
    if (count == 0) continue;
    out += fmt::format("\n{} ({}):\n", kTitles.at(static_cast<size_t>(change)), grouped(count));
    if (change == RunChange::Broken) {
      for (const Cluster& each : diff.clusters) {
        add("  " + headlineOf(each));
        if (const auto extent = extentOf(each); !extent.empty()) add("    " + extent);
      }
    }
    size_t shown = 0;
    for (const CaseChange& each : diff.changes) {
      if (each.change != change) continue;
      if (++shown > kMaxRowsInText) continue;
      add(fmt::format("  {} -> {}: {}", verdictOf(each.before), verdictOf(each.after),
                      each.entry().caseString));
    }
    if (shown > kMaxRowsInText) {
      out += fmt::format("  and {} more\n", grouped(shown - kMaxRowsInText));
    }
  }
  out += '\n';
  const Facts before = factsOf(*diff.before);
  const Facts after = factsOf(*diff.after);
  for (size_t i = 0; i < before.size(); ++i) {
    const auto& [what, value] = before[i];
    if (value == after[i].second) {
      if (!value.empty() && what != "Command") add(fmt::format("{:<18} {}", what, value));
    } else {
      add(fmt::format("{:<18} {}  ->  {}", what, value.empty() ? "(none)" : value,
                      after[i].second.empty() ? "(none)" : after[i].second));
    }
  }
  return out;
}

ReportDocument toDocument(const Diff& diff, size_t maxRows) {
  Json counts = Json::object();
  Json changes = Json::object();
  for (RunChange change : kChanges) {
    counts[std::string(name(change))] = diff.count(change);
    changes[std::string(name(change))] = Json::array();
  }
  for (const CaseChange& each : diff.changes) {
    Json& rows = changes[std::string(name(each.change))];
    if (rows.size() == maxRows) continue;
    const JournalEntry& entry = each.entry();
    Json row = {{"case", entry.caseString},    {"operator", entry.op},
                {"level", entry.level},        {"type", entry.type},
                {"rank", entry.rank},          {"family", entry.family},
                {"rules", entry.rules.list()}, {"verdict", name(entry.verdict)},
                {"message", entry.message}};
    if (each.before) row["before"] = name(each.before->verdict);
    if (each.after) row["after"] = name(each.after->verdict);
    rows.push_back(std::move(row));
  }
  Json clusters = arrayOf(diff.clusters, [&](const Cluster& cluster) -> Json {
    const JournalEntry& shortest = diff.after->cases[cluster.shortest];
    return {{"query", cluster.query},          {"headline", headlineOf(cluster)},
            {"extent", extentOf(cluster)},     {"cases", cluster.cases.size()},
            {"shortest", shortest.caseString}, {"message", firstWords(shortest)}};
  });
  Json lost = arrayOf(diff.lostLevels, [](const LostLevels& each) -> Json {
    return {
        {"operator", each.op}, {"from", each.from}, {"through", each.through}, {"why", each.why}};
  });
  return {{"diff", 2},
          {"headline", headline(diff)},
          {"regression", diff.regression()},
          {"exitStatus", diff.exitStatus()},
          {"warnings", diff.warnings()},
          {"before", factsOf(*diff.before)},
          {"after", factsOf(*diff.after)},
          {"unchanged", diff.unchanged},
          {"counts", std::move(counts)},
          {"changes", std::move(changes)},
          {"lostLevels", std::move(lost)},
          {"clusters", std::move(clusters)}};
}

}  // namespace dmlcts

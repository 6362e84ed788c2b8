#include "reports/summary/compliance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/facts/operators.h"
#include "conformance/language/operator_syntax.h"
#include "reference/level.h"
#include "reference/rules.h"
#include "reports/summary/clusters.h"
#include "reports/summary/summary.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

constexpr size_t kMaxReason = 200;  // bytes of the target's message

struct Counts {
  uint64_t executedPasses = 0;
  uint64_t noGate = 0;   // NotAsked cases of a device without a level gate
  uint64_t noMode = 0;   // NotAsked cases of an execution mode that the target does not have
  std::string notAsked;  // message of the first other NotAsked case
  std::map<std::string_view, RuleCount> rules;
  std::vector<const JournalEntry*> failed;
};

// Returns the operators and levels of the ledger and of the cases.
std::set<std::pair<std::string, std::string>> operatorLevels(const Report& report) {
  std::set<std::pair<std::string, std::string>> known;
  const auto operators = operatorNames();
  for (const JournalEntry& entry : report.cases) known.emplace(entry.op, entry.level);
  for (const Rule& rule : rules()) {
    const std::string op(rule.id.substr(0, rule.id.find('.')));
    if (std::ranges::find(operators, op) == operators.end()) continue;
    for (Level level : kLevels) {
      if (rule.holdsAt(level)) known.emplace(op, name(level));
    }
  }
  return known;
}

void count(const JournalEntry& entry, ComplianceRow& row, Counts& counts) {
  const uint64_t cases = entry.count();
  row.totals[entry.verdict] += cases;
  if (entry.executed && entry.verdict == Verdict::Pass) counts.executedPasses += cases;
  if (entry.verdict == Verdict::NotAsked) {
    if (entry.levelOnly) {
      counts.noGate += cases;
    } else {
      if (!entry.mode.empty()) counts.noMode += cases;
      if (counts.notAsked.empty()) counts.notAsked = entry.message.substr(0, kMaxReason);
    }
  }
  if (entry.verdict == Verdict::Arguable) {
    const std::set<std::string_view> broken(entry.violated.begin(), entry.violated.end());
    for (std::string_view id : broken) row.dependsOn[std::string(id)] += cases;
    if (entry.violated.empty()) row.dependsOn["a rule that the journal does not name"] += cases;
  }
  for (const auto& [id, howOften] : entry.observations) row.observed[id] += cases;
  if (isFailure(entry.verdict)) counts.failed.push_back(&entry);
  const auto countRule = [&](std::string_view id, uint64_t number) {
    RuleCount& rule = counts.rules[id];
    rule.cases += number;
    rule.failed += isFailure(entry.verdict) ? number : 0;
    rule.waived += entry.verdict == Verdict::Waived ? number : 0;
  };
  for (std::string_view id : std::set<std::string_view>(entry.rules.begin(), entry.rules.end())) {
    countRule(id, 1);
  }
  for (const auto& [id, number] : entry.othersRules) countRule(id, number);
}

// Every level that has an operator has it for FLOAT32 of rank 4.
bool isAbsent(const std::string& op, const std::string& level) {
  return ruledOut(op, level, "f32", 4).has_value();
}

// Returns "above the target's highest level, 6.0", or the message of a case.
std::string whyNotAsked(const Report& report, const std::string& level, const Counts& counts) {
  const auto asked = parseLevel(level);
  const auto highest = parseLevel(report.run.maxLevel);
  if (asked && highest && *asked > *highest) {
    return fmt::format("above the target's highest level, {}", report.run.maxLevel);
  }
  return counts.notAsked.empty() ? "the cases do not say why" : counts.notAsked;
}

// Returns why the verdicts of a level may not be the whole tier's; "" if they are.
std::string doubt(const Report& report, uint64_t cases, uint64_t tierCases) {
  if (!report.conflicts.empty()) return disagreementOf(report);
  if (report.unnamed) return "there are verdicts of a target without an identity";
  if (!report.workerFailures.empty()) return "a worker failed outside any case";
  if (report.halfGate) {
    return "the device enforces feature levels for some descriptors but not for others";
  }
  if (tierCases == 0 || report.run.tier.empty())
    return "the run was of no tier that has such cases";
  if (cases < tierCases) return std::string(kIncomplete);
  if (cases > tierCases) return "more cases ran than the tier has";
  return report.complete() ? "" : "the report is incomplete";
}

std::pair<Compliance, std::string> judge(const Report& report, const ComplianceRow& row,
                                         const Counts& counts) {
  const Totals& totals = row.totals;
  const uint64_t all = totals.all();
  if (all == 0) return {Compliance::NotRun, ""};
  if (totals.failures() > 0) return {Compliance::Broken, ""};
  if (totals[Verdict::NotAsked] == all && counts.noGate == 0) {
    return {Compliance::NotAsked, whyNotAsked(report, row.level, counts)};
  }
  if (!report.filters.empty()) return {Compliance::Filtered, ""};
  if (totals[Verdict::NotSupported] == all) return {Compliance::NotSupported, ""};
  if (totals[Verdict::Pass] + totals[Verdict::Arguable] + counts.noGate + counts.noMode < all)
    return {Compliance::Partial, ""};
  if (std::string reason = doubt(report, all, row.tierCases); !reason.empty()) {
    return {Compliance::Unproven, std::move(reason)};
  }
  if (isAbsent(row.op, row.level)) {
    if (counts.noGate == 0) return {Compliance::Absent, ""};
    return {Compliance::NotAsked, std::string(kNoGate)};
  }
  if (counts.executedPasses == 0) return {Compliance::Unproven, "no case executed the operator"};
  return {Compliance::Conforms, ""};
}

std::vector<RuleCount> failedRules(const Totals& totals,
                                   std::map<std::string_view, RuleCount> rules) {
  std::vector<RuleCount> failed;
  const auto broken = [any = totals.failures() > 0](const RuleCount& rule) {
    return any ? rule.failed : rule.waived;
  };
  for (auto& [id, rule] : rules) {
    rule.id = id;
    if (broken(rule) > 0) failed.push_back(std::move(rule));
  }
  // The failed share of the rule's cases, times the rule's share of all failures. A rule with one
  // case explains little, and so does a rule with all cases.
  std::ranges::stable_sort(failed, std::greater{}, [&broken](const RuleCount& rule) {
    const auto count = static_cast<double>(broken(rule));
    return count * count / static_cast<double>(rule.cases);
  });
  return failed;
}

void add(const ComplianceRow& row, Claim& claim) {
  claim.through = row.level;
  claim.totals += row.totals;
  claim.tierCases += row.tierCases;
  for (const auto& [rule, cases] : row.dependsOn) claim.dependsOn[rule] += cases;
  for (const auto& [rule, cases] : row.observed) claim.observed[rule] += cases;
}

void makeClaims(Report& report) {
  for (const ComplianceRow& row : report.compliance) {
    Claim* last = report.claims.empty() ? nullptr : &report.claims.back();
    if (last && row.op == last->op && row.status == last->status && row.reason == last->reason &&
        row.brokenRule == last->brokenRule) {
      add(row, *last);
    } else {
      report.claims.push_back({row, row.level});
      report.claims.back().failedRules.clear();
    }
  }
  for (Claim& claim : report.claims) claim.statement = statementOf(report, claim);
}

// The broken rule of the cause that most of the level's failures have, or of the failures alone.
// A cause may be one of several operators: the rule is named as this operator's.
std::string brokenBy(const Report& report, const ComplianceRow& row,
                     std::span<const JournalEntry* const> failed) {
  for (const Cluster& cluster : report.clusters) {
    const auto ofLevel = std::ranges::count_if(cluster.cases, [&](size_t index) {
      return report.cases[index].op == row.op && report.cases[index].level == row.level;
    });
    if (2 * static_cast<size_t>(ofLevel) <= failed.size() || !cluster.rule.broken) continue;
    const std::string& id = cluster.rule.id;
    const std::string own = row.op + std::string(sharedPart(id));
    return findRule(own) ? own : id;
  }
  return brokenRule(failed);
}

}  // namespace

std::string_view name(Compliance compliance) {
  constexpr std::array<std::string_view, std::size(kCompliances)> kNames{
      "Conforms", "Absent",   "Broken",       "Partial", "Unproven",
      "Filtered", "NotAsked", "NotSupported", "NotRun"};
  return kNames.at(static_cast<size_t>(compliance));
}

std::string Claim::levels() const { return level == through ? level : level + " to " + through; }

void judgeLevels(Report& report) {
  if (report.isRandom()) return;
  struct Counted {
    ComplianceRow row;
    Counts counts;
  };
  std::map<std::pair<std::string, std::string>, Counted> levels;
  for (const auto& key : operatorLevels(report)) levels[key];
  for (const JournalEntry& entry : report.cases) {
    auto& [row, counts] = levels[{entry.op, entry.level}];
    count(entry, row, counts);
  }
  for (auto& [key, level] : levels) {
    auto& [row, counts] = level;
    std::tie(row.op, row.level) = key;
    const auto whole = report.run.tierCases.find(row.op + " " + row.level);
    if (whole != report.run.tierCases.end()) row.tierCases = whole->second;
    std::tie(row.status, row.reason) = judge(report, row, counts);
    row.statement = statementOf(report, row);
    row.brokenRule = brokenBy(report, row, counts.failed);
    row.failedRules = failedRules(row.totals, std::move(counts.rules));
    report.compliance.push_back(std::move(row));
  }
  makeClaims(report);
}

std::optional<std::string> ruledOut(std::string_view op, const std::string& level,
                                    const std::string& type, uint32_t rank) {
  const auto knownLevel = parseLevel(level);
  const auto knownType = parseDataType(type);
  if (!knownLevel || !knownType || rank < 1 || rank > kMaxRank) return std::nullopt;
  const auto descriptor = simplestDescriptor(op, *knownType, rank);
  if (!descriptor) return std::nullopt;
  const auto broken = check(*descriptor, *knownLevel);
  if (broken.empty()) return std::nullopt;
  return std::string(broken.front().rule->wording) + " (" + std::string(broken.front().rule->id) +
         ")";
}

}  // namespace dmlcts

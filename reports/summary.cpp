#include "reports/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>

#include "reference/level.h"
#include "reports/holes.h"
#include "reports/journal_members.h"
#include "reports/not_run.h"

namespace dmlcts {
namespace {

int gravity(Verdict verdict) {
  if (isFailure(verdict)) return 2;
  return verdict == Verdict::Pass ? 0 : 1;
}

// Cases ---------------------------------------------------------------------------------------

void collectCases(std::span<const Journal> journals, Report& report) {
  std::unordered_map<std::string_view, size_t> indexOf;  // views into the journals
  std::vector<const JournalEntry*> kept;
  for (const Journal& journal : journals) {
    for (const JournalEntry& entry : journal.entries) {
      const auto [found, fresh] = indexOf.emplace(entry.caseString, kept.size());
      if (fresh) {
        kept.push_back(&entry);
        continue;
      }
      const JournalEntry*& counted = kept[found->second];
      const JournalEntry* other = &entry;
      // An InternalError says that there is no verdict yet, until a resumed run gives one.
      if (other->verdict == Verdict::InternalError) continue;
      if (counted->verdict == Verdict::InternalError) {
        counted = other;
        continue;
      }
      if (gravity(other->verdict) > gravity(counted->verdict)) std::swap(counted, other);
      report.duplicates.push_back({entry.caseString, counted->verdict, other->verdict});
    }
  }
  const auto key = [](const JournalEntry* entry) {
    return std::tie(entry->op, entry->level, entry->type, entry->rank, entry->family,
                    entry->caseString);
  };
  std::ranges::sort(kept, [&](const auto* a, const auto* b) { return key(a) < key(b); });
  report.cases.reserve(kept.size());
  for (const JournalEntry* entry : kept) report.cases.push_back(*entry);
  std::ranges::sort(report.duplicates, {}, &Duplicate::caseString);
}

void countCases(Report& report) {
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, uint32_t>, MatrixRow>
      matrix;
  std::map<std::string_view, FamilyRow> families;
  for (size_t i = 0; i < report.cases.size(); ++i) {
    const JournalEntry& entry = report.cases[i];
    const double seconds = std::clamp(entry.seconds, 0.0, 1e9);  // so that sums stay finite
    ++report.totals[entry.verdict];
    report.seconds += seconds;
    if (isFailure(entry.verdict) || entry.verdict == Verdict::InternalError) {
      report.failures.push_back(i);
    }
    MatrixRow& cell = matrix[{entry.op, entry.level, entry.type, entry.rank}];
    ++cell.totals[entry.verdict];
    ++(entry.executed ? cell.executed : cell.rejected);
    FamilyRow& family = families[entry.family];
    ++family.totals[entry.verdict];
    ++(entry.executed ? family.executed : family.rejected);
    family.seconds += seconds;
  }
  for (auto& [key, row] : matrix) {
    row.op = std::get<0>(key), row.level = std::get<1>(key), row.type = std::get<2>(key);
    row.rank = std::get<3>(key);
    report.matrix.push_back(std::move(row));
  }
  for (auto& [key, row] : families) {
    row.family = key;
    report.families.push_back(std::move(row));
  }

  std::vector<size_t> order(report.cases.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto secondsOf = [&](size_t i) { return report.cases[i].seconds; };
  const auto last = order.begin() + static_cast<ptrdiff_t>(std::min<size_t>(10, order.size()));
  std::ranges::partial_sort(order, last, std::greater{}, secondsOf);
  report.slowest.assign(order.begin(), last);
}

// Rules and compliance ------------------------------------------------------------------------

std::string_view wordsFor(Checked checked) {
  switch (checked) {
    case Checked::ByRejecting:
      return "by rejecting";
    case Checked::ByExecuting:
      return "by executing";
    case Checked::NotAtAll:
      return "not at all";
  }
  return "";
}

void countRules(std::span<const Rule> ledger, Report& report) {
  std::unordered_map<std::string_view, size_t> indexOf;
  for (const Rule& rule : ledger) {
    indexOf.emplace(rule.id, report.rules.size());
    report.rules.push_back({.id = std::string(rule.id),
                            .known = true,
                            .wording = std::string(rule.wording),
                            .source = std::string(rule.source),
                            .note = std::string(rule.note),
                            .from = std::string(name(rule.from)),
                            .through = std::string(name(rule.through)),
                            .checked = std::string(wordsFor(rule.checked)),
                            .totals = {},
                            .families = {}});
  }
  std::set<std::string_view> foreign;
  for (const JournalEntry& entry : report.cases) {
    for (const std::string& id : entry.rules) {
      if (!indexOf.contains(id)) foreign.insert(id);
    }
  }
  for (std::string_view id : foreign) {
    indexOf.emplace(id, report.rules.size());
    report.rules.emplace_back().id = id;
  }
  std::vector<std::set<std::string_view>> families(report.rules.size());
  for (const JournalEntry& entry : report.cases) {
    for (std::string_view id : std::set<std::string_view>(entry.rules.begin(), entry.rules.end())) {
      const size_t index = indexOf.at(id);
      ++report.rules[index].totals[entry.verdict];
      families[index].insert(entry.family);
    }
  }
  for (size_t i = 0; i < families.size(); ++i) {
    report.rules[i].families.assign(families[i].begin(), families[i].end());
  }
}

Compliance judge(const Totals& totals, bool complete) {
  if (totals.all() == 0) return Compliance::NotRun;
  if (totals.failures() > 0) return Compliance::Broken;
  if (totals[Verdict::InternalError] + totals[Verdict::Vacuous] > 0) return Compliance::Unproven;
  if (totals[Verdict::NotSupported] == totals.all()) return Compliance::NotSupported;
  if (!complete) return Compliance::Unproven;
  return totals[Verdict::Waived] > 0 ? Compliance::Waived : Compliance::Holds;
}

template <size_t... I>
std::set<std::string> operatorNames(std::index_sequence<I...>) {
  return {std::string(std::variant_alternative_t<I, Descriptor>::name)...};
}

// The operators and levels that the ledger speaks of, and those that cases were run at.
std::set<std::pair<std::string, std::string>> operatorLevels(std::span<const Rule> ledger,
                                                             const Report& report) {
  std::set<std::pair<std::string, std::string>> known;
  const auto operators = operatorNames(std::make_index_sequence<std::variant_size_v<Descriptor>>{});
  for (const JournalEntry& entry : report.cases) known.emplace(entry.op, entry.level);
  for (const Rule& rule : ledger) {
    const std::string op(rule.id.substr(0, rule.id.find('.')));
    if (!operators.contains(op)) continue;
    for (Level level : kLevels) {
      if (rule.holdsAt(level)) known.emplace(op, name(level));
    }
  }
  return known;
}

void judgeLevels(std::span<const Rule> ledger, Report& report) {
  struct Counts {
    Totals totals;
    std::map<std::string_view, RuleCount> rules;
  };
  std::map<std::pair<std::string, std::string>, Counts> counts;
  for (const auto& key : operatorLevels(ledger, report)) counts[key];
  for (const JournalEntry& entry : report.cases) {
    Counts& count = counts[{entry.op, entry.level}];
    ++count.totals[entry.verdict];
    for (std::string_view id : std::set<std::string_view>(entry.rules.begin(), entry.rules.end())) {
      RuleCount& rule = count.rules[id];
      ++rule.cases;
      rule.failed += isFailure(entry.verdict);
      rule.waived += entry.verdict == Verdict::Waived;
    }
  }
  for (auto& [key, count] : counts) {
    ComplianceRow row{.op = key.first,
                      .level = key.second,
                      .status = judge(count.totals, report.complete()),
                      .totals = count.totals,
                      .failedRules = {}};
    const auto broken = [any = count.totals.failures() > 0](const RuleCount& rule) {
      return any ? rule.failed : rule.waived;
    };
    for (auto& [id, rule] : count.rules) {
      rule.id = id;
      if (broken(rule) > 0) row.failedRules.push_back(std::move(rule));
    }
    std::ranges::stable_sort(row.failedRules, std::greater{}, [&broken](const RuleCount& rule) {
      return std::pair(static_cast<double>(broken(rule)) / static_cast<double>(rule.cases),
                       broken(rule));
    });
    report.compliance.push_back(std::move(row));
  }
}

// Plans and identity --------------------------------------------------------------------------

std::vector<IndexRange> missingBetween(const std::vector<Shard>& shards, uint32_t count) {
  std::vector<IndexRange> missing;
  uint32_t next = 0;
  for (const Shard& shard : shards) {
    if (shard.index > next) missing.push_back({next, shard.index - 1});
    next = shard.index + 1;
  }
  if (next < count) missing.push_back({next, count - 1});
  return missing;
}

void collectPlans(std::span<const Journal> journals, Report& report) {
  struct Seen {
    uint64_t planned = 0;
    std::set<std::string_view> cases;
  };
  std::map<std::pair<std::string, uint32_t>, std::map<uint32_t, Seen>> plans;
  for (const Journal& journal : journals) {
    std::vector<Seen*> seenBy;  // by header
    for (const JournalHeader& header : journal.headers) {
      Seen& seen = plans[{header.planHash, header.shardCount}][header.shardIndex];
      seen.planned = std::max(seen.planned, header.plannedCases);
      seenBy.push_back(&seen);
    }
    for (size_t i = 0; i < journal.entries.size(); ++i) {
      seenBy.at(journal.headerOf.at(i))->cases.insert(journal.entries[i].caseString);
    }
  }
  for (const auto& [key, shards] : plans) {
    Plan plan{.hash = key.first, .shardCount = key.second, .shards = {}, .missingShards = {}};
    for (const auto& [index, seen] : shards) {
      plan.shards.push_back({index, seen.planned, seen.cases.size()});
    }
    plan.missingShards = missingBetween(plan.shards, plan.shardCount);
    report.plans.push_back(std::move(plan));
  }
}

std::string text(const std::string& value) { return value; }
std::string text(const std::vector<std::string>& values) {
  return fmt::format("{}", fmt::join(values, " | "));
}
template <typename Value>
std::string text(const std::map<std::string, Value>& values) {
  std::string joined;
  for (const auto& [key, value] : values) {
    joined += fmt::format("{}{}={}", joined.empty() ? "" : ", ", key, value);
  }
  return joined;
}
template <std::integral Value>
std::string text(Value value) {
  return fmt::format("{}", value);
}

// What may differ between the shards of a run.
bool mayDiffer(std::string_view member) {
  static constexpr std::array<std::string_view, 6> kMembers{
      "journal", "commandLine", "host", "startedAt", "shardIndex", "plannedCases"};
  return std::ranges::find(kMembers, member) != kMembers.end();
}

void addDistinct(std::vector<std::string>& values, std::string value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(std::move(value));
}

void compareHeaders(std::span<const Journal> journals, Report& report) {
  bool first = true;
  std::vector<Conflict> members;
  for (const Journal& journal : journals) {
    if (journal.cutLine) report.cutJournals.push_back(journal.name);
    for (const JournalHeader& header : journal.headers) {
      if (!report.run.sawTarget()) report.run = header;
      addDistinct(report.hosts, header.host);
      if (!header.sawTarget()) continue;
      size_t index = 0;
      visitHeaderMembers(header, [&](const char* member, const auto& value, Member) {
        if (mayDiffer(member)) return;
        if (first) members.push_back({member, {}});
        addDistinct(members[index++].values, text(value));
      });
      first = false;
    }
  }
  std::ranges::copy_if(members, std::back_inserter(report.conflicts),
                       [](const Conflict& member) { return member.values.size() > 1; });
}

void measureRates(std::span<const Journal> journals, Report& report) {
  constexpr size_t kPoints = 100;
  for (const Journal& journal : journals) {
    const auto& entries = journal.entries;
    if (entries.empty()) continue;
    RateSeries series{journal.name, {}};
    const size_t step = (entries.size() + kPoints - 1) / kPoints;
    double seconds = 0;
    for (size_t from = 0; from < entries.size(); from += step) {
      const size_t count = std::min(step, entries.size() - from);
      double spent = 0;
      for (size_t i = from; i < from + count; ++i) {
        spent += std::clamp(entries[i].seconds, 0.0, 1e9);
      }
      seconds += spent;
      const double rate = spent > 0 ? static_cast<double>(count) / spent : 0;
      series.points.push_back({seconds, rate});
    }
    report.rates.push_back(std::move(series));
  }
}

}  // namespace

uint64_t Totals::all() const { return std::accumulate(counts.begin(), counts.end(), uint64_t{0}); }

uint64_t Totals::failures() const {
  uint64_t sum = 0;
  for (Verdict verdict : kVerdicts) sum += isFailure(verdict) ? (*this)[verdict] : 0;
  return sum;
}

bool Plan::complete() const {
  return missingShards.empty() && std::ranges::all_of(shards, &Shard::complete);
}

bool Report::complete() const {
  return !plans.empty() && conflicts.empty() && duplicates.empty() && cutJournals.empty() &&
         std::ranges::all_of(plans, &Plan::complete);
}

std::string_view name(Compliance compliance) {
  switch (compliance) {
    case Compliance::Holds:
      return "Holds";
    case Compliance::Waived:
      return "Waived";
    case Compliance::Broken:
      return "Broken";
    case Compliance::Unproven:
      return "Unproven";
    case Compliance::NotSupported:
      return "NotSupported";
    case Compliance::NotRun:
      return "NotRun";
  }
  return "unknown";
}

Report summarize(std::span<const Journal> journals, std::span<const Rule> ledger) {
  Report report;
  compareHeaders(journals, report);
  collectPlans(journals, report);
  collectCases(journals, report);
  countCases(report);
  countRules(ledger, report);
  judgeLevels(ledger, report);
  report.holes = findHoles(report.matrix);
  const std::set<Labels> labels = labelsOf(report.cases);
  if (!labels.empty()) report.coverage = {measureCoverage(labels, 2), measureCoverage(labels, 3)};
  report.notRun = findNotRun(report);
  report.waivers = findWaivers(report.cases);
  measureRates(journals, report);
  return report;
}

}  // namespace dmlcts

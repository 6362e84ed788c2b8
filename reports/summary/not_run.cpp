#include "reports/summary/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

constexpr size_t kMostMessages = 20;

void addShards(const Report& report, std::vector<NotRun>& all) {
  const auto add = [&](std::string what, std::string why, uint64_t cases) {
    all.push_back({std::move(what), std::move(why), cases, true});
  };
  for (const ScheduledShards& schedule : report.schedules) {
    for (const auto& [first, last] : schedule.missingShards) {
      add(first == last
              ? fmt::format("Shard {} of {}", first + 1, schedule.shardCount)
              : fmt::format("Shards {} to {} of {}", first + 1, last + 1, schedule.shardCount),
          "No journal was given.", 0);
    }
    for (const Shard& shard : schedule.shards) {
      if (shard.complete()) continue;
      add(schedule.shardCount == 1
              ? "The rest of the run"
              : fmt::format("The rest of shard {} of {}", shard.index + 1, schedule.shardCount),
          fmt::format("It has {} of {} planned{}.", counted(shard.seen, "verdict"),
                      grouped(shard.planned),
                      shard.failFast ? ": it was stopped at the first failure, as --fail-fast asks"
                                     : "; run it again with --resume"),
          shard.missing());
    }
  }
}

void addTiers(const Report& report, std::vector<NotRun>& all) {
  if (report.run.tier == "smoke") {
    all.push_back(
        {"Most of the default tier", "The run was of the smoke tier, a sample of it.", 0});
  }
  if (report.run.tier == "smoke" || report.run.tier == "default") {
    all.push_back({"The large tier", "Tensors too big for routine: run it with --tier large.", 0});
  }
  if (report.filters.empty()) return;
  uint64_t whole = 0;
  for (const auto& [level, cases] : report.run.tierCases) whole += cases;
  const uint64_t ran = report.caseCount;
  all.push_back(
      {report.run.tier.empty() ? "All tiers" : "The rest of the tier",
       fmt::format("The cases were chosen by \"{}\".", fmt::join(report.filters, "\", \"")),
       whole > ran ? whole - ran : 0});
}

void addLevels(const Report& report, std::vector<NotRun>& all) {
  std::map<std::string, std::string> levels;
  for (const ComplianceRow& row : report.compliance) {
    if (row.status != Compliance::NotRun) continue;
    std::string& list = levels[row.op];
    list += (list.empty() ? "" : ", ") + row.level;
  }
  for (const auto& [op, list] : levels) {
    all.push_back({op + " at " + list, "The run has no case of it.", 0});
  }
}

// Adds the cases with this verdict, grouped by their messages.
void addUnrun(const Report& report, Verdict verdict, std::string_view what,
              std::vector<NotRun>& all) {
  std::map<std::string, uint64_t> messages;
  for (const JournalEntry& entry : report.cases) {
    if (entry.verdict != verdict) continue;
    const bool noGate = entry.levelOnly && verdict == Verdict::NotAsked;
    messages[noGate ? "The device accepts calls of any feature level." : limitOf(entry.message)] +=
        entry.count();
  }
  std::vector<std::pair<std::string, uint64_t>> sorted(messages.begin(), messages.end());
  std::ranges::stable_sort(sorted, std::greater{}, [](const auto& each) { return each.second; });
  uint64_t rest = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i < kMostMessages) {
      all.push_back({std::string(what), sorted[i].first, sorted[i].second});
    } else {
      rest += sorted[i].second;
    }
  }
  if (rest > 0) all.push_back({std::string(what), "For other reasons.", rest});
}

void addRules(const Report& report, std::vector<NotRun>& all) {
  uint64_t unchecked = 0;
  for (const RuleRow& rule : report.rules) unchecked += rule.is(Checked::NotAtAll);
  if (unchecked > 0) {
    all.push_back({counted(unchecked, "rule") + " without a check",
                   "What they speak of is undefined: there is nothing to compare.", 0});
  }
}

}  // namespace

std::string_view reasonIn(std::string_view message) {
  size_t end = message.size();
  for (Verdict verdict : kVerdicts) {
    const std::string after = "; " + std::string(name(verdict)) + ":";
    end = std::min(end, message.find(after));
  }
  return message.substr(0, end);
}

std::string limitOf(std::string_view message) {
  constexpr size_t kSizeDigits = 4;  // "64-bit" names a type
  std::string limit;
  for (size_t at = 0; at < message.size();) {
    const size_t end = std::min(message.find_first_not_of("0123456789", at), message.size());
    const bool isSize = end - at >= kSizeDigits;
    limit += isSize ? "*" : message.substr(at, std::max<size_t>(end - at, 1));
    at = std::max(end, at + 1);
  }
  return limit;
}

std::vector<NotRun> findNotRun(const Report& report) {
  std::vector<NotRun> all;
  addShards(report, all);
  addTiers(report, all);
  addLevels(report, all);
  addUnrun(report, Verdict::Skipped, kSkipped, all);
  addUnrun(report, Verdict::NotSupported, kNotSupported, all);
  addUnrun(report, Verdict::NotAsked, "Not asked of the target", all);
  addRules(report, all);
  return all;
}

std::vector<Waiver> findWaivers(const std::vector<JournalEntry>& cases) {
  std::map<std::string, uint64_t> counts;
  for (const JournalEntry& entry : cases) {
    if (entry.verdict != Verdict::Waived) continue;
    counts[std::string(reasonIn(entry.message))] += entry.count();
  }
  std::vector<Waiver> waivers;
  for (auto& [reason, count] : counts) waivers.push_back({reason, count});
  std::ranges::stable_sort(waivers, std::greater{}, &Waiver::cases);
  return waivers;
}

}  // namespace dmlcts

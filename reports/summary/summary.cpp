#include "reports/summary/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "conformance/facts/operators.h"
#include "conformance/language/plan_hash.h"
#include "reports/journal/journal_members.h"
#include "reports/summary/compliance.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

// Entries of one key are verdicts of one case. Fuzzing also judges relations of a case, under its
// case string and a family of their own.
struct CaseKey {
  std::string_view caseString;
  std::string_view family;

  CaseKey(const JournalHeader& header, const JournalEntry& entry)
      : caseString(entry.caseString),
        family(header.tier == kRandomTier ? std::string_view(entry.family) : "") {}
  bool operator==(const CaseKey&) const = default;

  struct Hash {
    size_t operator()(const CaseKey& key) const {
      const std::hash<std::string_view> hash;
      return hash(key.caseString) * 31 + hash(key.family);
    }
  };
};

auto gravity(Verdict verdict) { return kByGravity.end() - std::ranges::find(kByGravity, verdict); }

// Cases ---------------------------------------------------------------------------------------

// Moves to entries[i] the entry that places[i] points to, for every i. Needs no second list: there
// may be millions.
void moveToPlaces(std::vector<JournalEntry*>& places, std::vector<JournalEntry>& entries) {
  for (JournalEntry& first : entries) {
    // Each swap moves one entry to its place, and the first entry on along the cycle of places.
    for (JournalEntry* at = &first;;) {
      JournalEntry* from = std::exchange(places[static_cast<size_t>(at - entries.data())], at);
      if (from == &first) break;
      std::swap(*at, *from);
      at = from;
    }
  }
}

// Moves the entries out of the journals.
void collectCases(std::vector<Journal>& journals, Report& report) {
  std::unordered_map<CaseKey, size_t, CaseKey::Hash> indexOf;  // views into the journals
  std::vector<JournalEntry*> kept;
  for (const Journal& journal : journals) indexOf.reserve(journal.entries.size());
  bool rejects = false;  // rejections that only the level calls for
  bool accepts = false;
  for (Journal& journal : journals) {
    for (size_t i = 0; i < journal.entries.size(); ++i) {
      JournalEntry* other = &journal.entries[i];
      const JournalHeader& header = journal.headers.at(journal.headerOf.at(i));
      report.unnamed =
          report.unnamed || (!header.sawTarget() && other->verdict != Verdict::InternalError);
      if (other->levelOnly && other->verdict == Verdict::Pass) rejects = true;
      if (other->levelOnly && other->verdict == Verdict::NotAsked) accepts = true;
      const auto [found, fresh] = indexOf.emplace(CaseKey(header, *other), kept.size());
      if (fresh) {
        kept.push_back(other);
        continue;
      }
      JournalEntry*& counted = kept[found->second];
      // InternalError means no verdict yet: a resumed run replaces it.
      if (other->verdict == Verdict::InternalError) continue;
      if (counted->verdict == Verdict::InternalError) {
        counted = other;
        continue;
      }
      if (gravity(other->verdict) > gravity(counted->verdict)) std::swap(counted, other);
      report.duplicates.push_back({counted->caseString, counted->verdict, other->verdict});
    }
  }
  report.halfGate = rejects && accepts;
  const auto place = [](const JournalEntry& entry) {
    return std::tie(entry.op, entry.level, entry.type, entry.rank, entry.family, entry.caseString);
  };
  indexOf.clear();
  std::ranges::sort(kept, {}, [&](const JournalEntry* entry) { return place(*entry); });
  if (journals.size() == 1 && kept.size() == journals[0].entries.size()) {
    report.cases = std::move(journals[0].entries);
    moveToPlaces(kept, report.cases);
    kept.clear();
  }
  report.cases.reserve(report.cases.size() + kept.size());
  for (JournalEntry* entry : kept) report.cases.push_back(std::move(*entry));
  std::ranges::sort(report.duplicates, {}, &Duplicate::caseString);
}

void countCases(Report& report) {
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, uint32_t>, MatrixRow>
      matrix;
  std::map<std::string_view, FamilyRow> families;
  for (size_t i = 0; i < report.cases.size(); ++i) {
    const JournalEntry& entry = report.cases[i];
    // Keeps sums finite.
    const double seconds = std::clamp(entry.seconds + entry.othersSeconds, 0.0, 1e9);
    report.caseCount += entry.count();
    report.totals[entry.verdict] += entry.count();
    report.seconds += seconds;
    if (isFailure(entry.verdict) || entry.verdict == Verdict::InternalError) {
      report.failures.push_back(i);
    }
    MatrixRow& cell = matrix[{entry.op, entry.level, entry.type, entry.rank}];
    cell.totals[entry.verdict] += entry.count();
    // Skipped: neither executed nor rejected.
    const uint64_t ran = entry.verdict == Verdict::Skipped ? 0 : entry.count();
    (entry.executed ? cell.executed : cell.rejected) += ran;
    FamilyRow& family = families[entry.family];
    family.totals[entry.verdict] += entry.count();
    (entry.executed ? family.executed : family.rejected) += ran;
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

// Returns true if there can be cases with an input of that type and rank.
bool isKnown(std::string_view op, DataType type, uint32_t rank) {
  return rank >= 1 && simplestDescriptor(op, type, rank).has_value();
}

// Returns the empty cells of the matrices, one matrix per operator and level, with every type and
// rank that the operator has at some level. Skips operators, levels and types that this version
// does not know.
std::vector<Hole> findHoles(const std::vector<MatrixRow>& matrix) {
  struct Axes {
    std::set<std::string> levels;
    std::set<std::string> types;
    std::set<uint32_t> ranks;
  };
  std::map<std::string, Axes> axesOf;
  std::set<std::tuple<std::string, std::string, std::string, uint32_t>> filled;
  for (const MatrixRow& row : matrix) {
    if (!parseLevel(row.level) || !parseDataType(row.type) || row.rank > kMaxRank) continue;
    Axes& axes = axesOf[row.op];
    axes.levels.insert(row.level);
    axes.types.insert(row.type);
    axes.ranks.insert(row.rank);
    filled.emplace(row.op, row.level, row.type, row.rank);
  }
  std::vector<Hole> holes;
  for (const auto& [op, axes] : axesOf) {
    for (const std::string& level : axes.levels) {
      for (const std::string& type : axes.types) {
        for (uint32_t rank : axes.ranks) {
          if (filled.contains({op, level, type, rank})) continue;
          if (!isKnown(op, *parseDataType(type), rank)) continue;
          holes.push_back(
              {op, level, type, rank,
               ruledOut(op, level, type, rank).value_or("No case of this run covers it.")});
        }
      }
    }
  }
  return holes;
}

// Rules --------------------------------------------------------------------------------------

template <typename Call>
void forEachRule(const JournalEntry& entry, const Call& call) {
  for (const std::string& id : entry.rules) call(id);
  for (const auto& [id, cases] : entry.othersRules) call(id);
  for (const std::string& id : entry.violated) call(id);
  for (const auto& [id, count] : entry.observations) call(id);
}

void countRules(Report& report) {
  std::unordered_map<std::string_view, size_t> indexOf;
  for (const Rule& rule : rules()) {
    indexOf.emplace(rule.id, report.rules.size());
    RuleRow& row = report.rules.emplace_back();
    row.id = rule.id;
    row.rule = &rule;
  }
  std::set<std::string_view> foreign;
  for (const JournalEntry& entry : report.cases) {
    forEachRule(entry, [&](std::string_view id) {
      if (!indexOf.contains(id)) foreign.insert(id);
    });
  }
  for (std::string_view id : foreign) {
    indexOf.emplace(id, report.rules.size());
    report.rules.emplace_back().id = id;
  }
  std::vector<std::set<std::string_view>> families(report.rules.size());
  for (const JournalEntry& entry : report.cases) {
    const auto count = [&](std::string_view id, uint64_t cases) {
      const size_t index = indexOf.at(id);
      report.rules[index].totals[entry.verdict] += cases;
      families[index].insert(entry.family);
    };
    for (std::string_view id : std::set<std::string_view>(entry.rules.begin(), entry.rules.end())) {
      count(id, 1);
    }
    for (const auto& [id, cases] : entry.othersRules) count(id, cases);
    for (const std::string& id : entry.violated) {
      report.rules[indexOf.at(id)].violated += entry.count();
    }
    for (const auto& [id, times] : entry.observations) {
      report.rules[indexOf.at(id)].observed += entry.count();
    }
  }
  for (size_t i = 0; i < families.size(); ++i) {
    report.rules[i].families.assign(families[i].begin(), families[i].end());
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

// True if the last session was to stop at the first failure, and had one.
bool stoppedAtFailure(const Journal& journal) {
  if (!journal.headers.back().failFast) return false;
  for (size_t i = journal.entries.size(); i-- > 0;) {
    if (journal.headerOf.at(i) + 1 != journal.headers.size()) return false;
    const Verdict verdict = journal.entries[i].verdict;
    if (failsRun(verdict) || verdict == Verdict::InternalError) return true;
  }
  return false;
}

void collectSchedules(std::span<const Journal> journals, Report& report) {
  struct Seen {
    uint64_t planned = 0;
    std::unordered_set<CaseKey, CaseKey::Hash> cases;
    uint64_t others = 0;
    PlanHash hash;
    bool failFast = false;
    bool random = false;
    uint64_t all() const { return cases.size() + others; }
  };
  std::map<std::pair<std::string, uint32_t>, std::map<uint32_t, Seen>> schedules;
  for (const Journal& journal : journals) {
    std::vector<Seen*> seenBy;  // by header
    for (const JournalHeader& header : journal.headers) {
      Seen& seen = schedules[{header.planHash, header.shardCount}][header.shardIndex];
      seen.planned = std::max(seen.planned, header.plannedCases);
      seen.random = header.tier == kRandomTier;
      seenBy.push_back(&seen);
    }
    for (size_t i = 0; i < journal.entries.size(); ++i) {
      const size_t header = journal.headerOf.at(i);
      Seen& seen = *seenBy.at(header);
      const JournalEntry& entry = journal.entries[i];
      if (seen.cases.insert({journal.headers[header], entry}).second) {
        seen.hash.add(entry.caseString);
      }
      seen.others += entry.others;
      seen.hash.add(entry.othersHash);
    }
    if (!seenBy.empty()) seenBy.back()->failFast = stoppedAtFailure(journal);
  }
  for (const auto& [key, shards] : schedules) {
    ScheduledShards schedule{
        .hash = key.first, .shardCount = key.second, .shards = {}, .missingShards = {}};
    PlanHash hash;
    for (const auto& [index, seen] : shards) {
      const uint64_t planned = seen.random ? seen.all() : seen.planned;
      schedule.shards.push_back(
          {index, planned, seen.all(), seen.failFast && seen.all() != planned});
      hash.add(seen.hash);
    }
    schedule.missingShards = missingBetween(schedule.shards, schedule.shardCount);
    schedule.others = schedule.hash.starts_with(PlanHash::kPrefix) && schedule.complete() &&
                      hash.text() != schedule.hash;
    report.schedules.push_back(std::move(schedule));
  }
}

std::string text(const std::string& value) { return value; }
std::string text(const std::vector<std::string>& values) {
  return fmt::format("{}", fmt::join(values, " | "));
}
template <std::integral Value>
std::string text(Value value) {
  return fmt::format("{}", value);
}

// True for members that may differ between the shards of a run.
bool mayDiffer(std::string_view member) {
  static constexpr std::array<std::string_view, 10> kMembers{
      "journal",   "commandLine", "worker",     "replayArguments", "host",
      "startedAt", "failFast",    "shardIndex", "plannedCases",    "caseFile"};
  return std::ranges::find(kMembers, member) != kMembers.end();
}

template <class Value>
void addDistinct(std::vector<Value>& values, Value value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(std::move(value));
}

// A header member and its distinct values, each a map, to leave out entries that all share. A value
// that is no map has one entry without a key.
struct Compared {
  using Entries = std::set<std::pair<std::string, std::string>>;

  std::string member;
  std::vector<Entries> values;

  void add(const auto& value) { addDistinct(values, {{"", text(value)}}); }
  template <typename Value>
  void add(const std::map<std::string, Value>& value) {
    Entries entries;
    for (const auto& [key, each] : value) entries.emplace(key, text(each));
    addDistinct(values, std::move(entries));
  }

  Conflict conflict() const {
    Conflict made{member, {}};
    for (const Entries& entries : values) {
      std::string& differing = made.values.emplace_back();
      for (const auto& each : entries) {
        if (std::ranges::all_of(values, [&](const Entries& m) { return m.contains(each); }))
          continue;
        differing += (differing.empty() ? "" : ", ") + each.first +
                     (each.first.empty() ? "" : "=") + each.second;
      }
    }
    return made;
  }
};

void compareHeaders(std::span<const Journal> journals, Report& report) {
  bool first = true;
  std::vector<Compared> members;
  for (const Journal& journal : journals) {
    if (journal.cutLine) report.cutJournals.push_back(journal.name);
    for (const JournalHeader& header : journal.headers) {
      if (!report.run.sawTarget()) report.run = header;
      addDistinct(report.hosts, header.host);
      for (const std::string& query : header.queries) addDistinct(report.filters, query);
      if (!header.caseFile.empty()) addDistinct(report.filters, "--cases " + header.caseFile);
      if (!header.levelFilter.empty()) addDistinct(report.filters, "--level " + header.levelFilter);
      if (!header.failedOf.empty()) addDistinct(report.filters, "--last-failed=" + header.failedOf);
      if (!header.mode.empty()) addDistinct(report.filters, "--mode " + header.mode);
      if (!header.sawTarget()) continue;
      size_t index = 0;
      visitMembers(header, [&](const char* member, const auto& value, Member) {
        if (mayDiffer(member)) return;
        if (first) members.push_back({member, {}});
        members[index++].add(value);
      });
      first = false;
    }
    report.workerFailures.insert(report.workerFailures.end(), journal.workerFailures.begin(),
                                 journal.workerFailures.end());
    report.investigations.insert(report.investigations.end(), journal.investigations.begin(),
                                 journal.investigations.end());
  }
  for (const Compared& member : members) {
    if (member.values.size() > 1) report.conflicts.push_back(member.conflict());
  }
  std::ranges::sort(report.filters);
  std::ranges::sort(report.workerFailures, {}, [](const JournalWorkerFailure& workerFailure) {
    return std::tie(workerFailure.when, workerFailure.verdict, workerFailure.message,
                    workerFailure.workerStderr);
  });
}

// Sums up a member of all shards.
uint64_t sumOf(const Report& report, const auto& member) {
  uint64_t sum = 0;
  for (const ScheduledShards& schedule : report.schedules) {
    for (const Shard& shard : schedule.shards) sum += std::invoke(member, shard);
  }
  return sum;
}

}  // namespace

const Totals& RuleRow::totalsIn(const Report& report) const {
  return is(Checked::Always) ? report.totals : totals;
}

bool ScheduledShards::complete() const {
  return missingShards.empty() && !others && std::ranges::all_of(shards, &Shard::complete);
}

bool Report::wholeShards() const {
  const auto whole = [](const ScheduledShards& schedule) {
    return !schedule.others && std::ranges::all_of(schedule.shards, &Shard::complete);
  };
  const bool once = duplicates.empty() || isRandom();  // a case may be drawn twice
  return !schedules.empty() && conflicts.empty() && once && cutJournals.empty() &&
         std::ranges::all_of(schedules, whole);
}

bool Report::complete() const {
  return wholeShards() && std::ranges::all_of(schedules, &ScheduledShards::complete);
}

uint64_t Report::planned() const { return sumOf(*this, &Shard::planned); }
uint64_t Report::missing() const { return sumOf(*this, &Shard::missing); }

const std::optional<Coverage>& Report::coverage() const {
  if (!measuredCoverage) {
    const std::set<Labels> labels = labelsOf(cases);
    measuredCoverage = labels.empty() ? std::nullopt : std::optional(measureCoverage(labels, 2));
  }
  return *measuredCoverage;
}

std::string shortfallOf(const Report& report) {
  const Totals& totals = report.totals;
  if (const uint64_t missing = report.missing(); missing > 0) {
    return fmt::format("{} of {} without a verdict", grouped(missing),
                       counted(report.planned(), "planned case"));
  }
  if (std::ranges::any_of(report.schedules, &ScheduledShards::others)) {
    return "the cases are not those of the plan";
  }
  if (!report.conflicts.empty()) return "the journals disagree on what was tested";
  if (!report.wholeShards()) return "the journals are not one whole run";
  if (report.complete() && totals[Verdict::Skipped] + totals[Verdict::NotAsked] == totals.all()) {
    return "nothing was asked of the target";
  }
  return report.run.strict ? avoidedFaultOf(report.run) : "";
}

int exitStatus(const Report& report) {
  const Totals& totals = report.totals;
  return exitStatus(totals[Verdict::InternalError] > 0, totals.failTheRun() > 0 ||
                                                            !report.workerFailures.empty() ||
                                                            !shortfallOf(report).empty());
}

Report summarize(std::vector<Journal>&& journals) {
  Report report;
  for (const Journal& journal : journals) report.journals.push_back(journal.name);
  compareHeaders(journals, report);
  collectSchedules(journals, report);
  collectCases(journals, report);
  countCases(report);
  countRules(report);
  report.clusters = findClusters(report);
  judgeLevels(report);
  report.holes = findHoles(report.matrix);
  for (const JournalEntry& entry : report.cases) report.weak += entry.weak ? entry.count() : 0;
  report.notRun = findNotRun(report);
  report.waivers = findWaivers(report.cases);
  return report;
}

Report summarize(std::span<const Journal> journals) {
  return summarize(std::vector<Journal>(journals.begin(), journals.end()));
}

}  // namespace dmlcts

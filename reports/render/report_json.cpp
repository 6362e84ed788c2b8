
#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "reports/journal/journal_members.h"
#include "reports/render/writers.h"
#include "reports/summary/clusters.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

using Json = ReportDocument;

// Numbers that may exceed 2^53 are strings: readers in other languages would round them.
Json identity(const JournalHeader& run) {
  Json target = Json::object();
  visitIdentities([&](const std::string& member, const auto& value,
                      Member) { target[member == "target" ? "name" : member] = value; },
                  run);
  return {{"tool",
           {{"name", "dmlcts"},
            {"version", run.suiteVersion},
            {"commit", run.suiteCommit},
            {"commandLine", run.commandLine},
            {"startedAt", run.startedAt},
            {"tier", run.tier},
            {"caseFile", run.caseFile},
            {"queries", run.queries},
            {"levelFilter", run.levelFilter},
            {"mode", run.mode},
            {"seed", std::to_string(run.seed)}}},
          {"target", std::move(target)}};
}

// Indexed by Conclusion::Tone.
constexpr std::array<std::string_view, 3> kTones{"good", "attention", "bad"};

Json plans(const Report& report) {
  return arrayOf(report.schedules, [](const ScheduledShards& schedule) -> Json {
    Json shards = Json::array();
    for (const Shard& shard : schedule.shards) {
      shards.push_back({{"index", shard.index}, {"planned", shard.planned}, {"seen", shard.seen}});
      if (shard.failFast) shards.back()["failFast"] = true;
    }
    Json missing = arrayOf(schedule.missingShards, [](const IndexRange& range) -> Json {
      return {{"first", range.first}, {"last", range.last}};
    });
    return {{"hash", schedule.hash},
            {"shardCount", schedule.shardCount},
            {"shards", std::move(shards)},
            {"missingShards", std::move(missing)}};
  });
}

Json duplicates(const Report& report) {
  return arrayOf(report.duplicates, [](const Duplicate& duplicate) -> Json {
    return {{"case", duplicate.caseString},
            {"counted", name(duplicate.counted)},
            {"other", name(duplicate.other)}};
  });
}

Json conflicts(const Report& report) {
  return arrayOf(report.conflicts, [](const Conflict& conflict) -> Json {
    return {{"member", conflict.member}, {"values", conflict.values}};
  });
}

Json unkept(const UnkeptRules& rules) {
  return arrayOf(rules, [](const auto& each) -> Json {
    return {{"rule", each.first}, {"cases", each.second}};
  });
}

Json compliance(const Report& report) {
  return arrayOf(report.compliance, [](const ComplianceRow& row) -> Json {
    Json failed = arrayOf(row.failedRules, [](const RuleCount& rule) -> Json {
      return {
          {"id", rule.id}, {"cases", rule.cases}, {"failed", rule.failed}, {"waived", rule.waived}};
    });
    return {{"operator", row.op},
            {"level", row.level},
            {"status", name(row.status)},
            {"statement", row.statement},
            {"totals", toDocument(row.totals)},
            {"tierCases", row.tierCases},
            {"failedRules", std::move(failed)},
            {"dependsOn", unkept(row.dependsOn)},
            {"observed", unkept(row.observed)}};
  });
}

Json claims(const Report& report) {
  return arrayOf(report.claims, [](const Claim& claim) -> Json {
    return {{"operator", claim.op},
            {"levels", claim.levels()},
            {"status", name(claim.status)},
            {"statement", claim.statement},
            {"rule", claim.brokenRule},
            {"dependsOn", unkept(claim.dependsOn)},
            {"observed", unkept(claim.observed)}};
  });
}

Json workerFailures(const Report& report, size_t most) {
  const size_t shown = std::min(most, report.workerFailures.size());
  return arrayOf(std::span(report.workerFailures).first(shown), [](const auto& failure) -> Json {
    return {{"when", failure.when},
            {"verdict", name(failure.verdict)},
            {"message", failure.message},
            {"workerStderr", failure.workerStderr}};
  });
}

Json matrix(const Report& report) {
  return arrayOf(report.matrix, [](const MatrixRow& row) -> Json {
    return {{"operator", row.op},
            {"level", row.level},
            {"type", row.type},
            {"rank", row.rank},
            {"totals", toDocument(row.totals)},
            {"executed", row.executed},
            {"rejected", row.rejected}};
  });
}

Json holes(const Report& report) {
  return arrayOf(report.holes, [](const Hole& hole) -> Json {
    return {{"operator", hole.op},
            {"level", hole.level},
            {"type", hole.type},
            {"rank", hole.rank},
            {"reason", hole.reason}};
  });
}

// Indexed by Checked.
constexpr std::array<std::string_view, 5> kCheckedWords{
    "by rejecting", "by accepting", "by executing", "in every case", "not at all"};

Json rules(const Report& report) {
  const std::set<std::string> possible = brokenRules(report).possible;
  return arrayOf(report.rules, [&](const RuleRow& row) {
    Json rule = {{"id", row.id},
                 {"known", row.rule != nullptr},
                 {"cases", row.totals.all()},
                 {"failed", row.totals.failures()},
                 {"totals", toDocument(row.totals)},
                 {"violated", row.violated},
                 {"observed", row.observed},
                 {"families", row.families}};
    if (possible.contains(std::string(sharedPart(row.id)))) {
      rule["possibly"] = true;
    }
    if (row.rule) {
      rule["wording"] = row.rule->wording;
      rule["source"] = row.rule->source;
      rule["note"] = row.rule->note;
      rule["from"] = name(row.rule->from);
      rule["through"] = name(row.rule->through);
      rule["checked"] = kCheckedWords.at(static_cast<size_t>(row.rule->checked));
      rule["standing"] = name(row.rule->standing);
    }
    return rule;
  });
}

Json families(const Report& report) {
  return arrayOf(report.families, [](const FamilyRow& row) -> Json {
    return {{"family", row.family},
            {"totals", toDocument(row.totals)},
            {"executed", row.executed},
            {"rejected", row.rejected},
            {"seconds", row.seconds}};
  });
}

// All members as in the journal, defaults included, plus the replay command.
Json failure(const Report& report, const JournalEntry& entry) {
  Json json = Json::object();
  visitMembers(entry, [&](const char* member, const auto& value, Member) {
    if (std::string_view(member) == "number") return;  // for `fuzz --resume` alone
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Verdict>) {
      json[member] = dmlcts::name(value);
    } else {
      json[member] = value;
    }
  });
  if (const auto wrong = wrongElements(entry)) json["elements"] = wrong->all;
  json["replay"] = replayCommand(report, entry);
  return json;
}

Json clusters(const Report& report) {
  return arrayOf(report.clusters, [&](const Cluster& cluster) -> Json {
    Json terms = arrayOf(cluster.terms, [](const Cause::Term& term) -> Json {
      return {{"term", term.text}, {"passWithout", term.passWithout}};
    });
    Json dimensions = arrayOf(cluster.dimensions, [](const Cluster::Dimension& each) -> Json {
      return {{"name", each.name}, {"values", each.values}, {"whole", each.whole}};
    });
    return {{"query", cluster.query},
            {"explained", cluster.isCause()},
            {"headline", headlineOf(cluster)},
            {"extent", extentOf(cluster)},
            {"rule", cluster.rule.id},
            {"ruleIs", cluster.rule.is()},
            {"cases", cluster.totals.all()},
            {"passing", cluster.passing},
            {"totals", toDocument(cluster.totals)},
            {"terms", std::move(terms)},
            {"dimensions", std::move(dimensions)},
            {"shortest", failure(report, report.cases[cluster.shortest])}};
  });
}

Json failures(const Report& report, size_t maxFailures) {
  const size_t shown = std::min(maxFailures, report.failures.size());
  return arrayOf(std::span(report.failures).first(shown),
                 [&](size_t index) { return failure(report, report.cases[index]); });
}

constexpr size_t kMostMissing = 200;  // pairs

// A list, which once had another element for triples.
Json coverage(const Report& report) {
  const auto& pairs = report.coverage();
  if (!pairs) return Json::array();
  const size_t shown = std::min(kMostMissing, pairs->missing.size());
  return Json::array({{{"strength", pairs->strength},
                       {"covered", pairs->covered},
                       {"possible", pairs->possible},
                       {"missing", arrayOf(std::span(pairs->missing).first(shown), textOf)}}});
}

Json waivers(const Report& report) {
  return arrayOf(report.waivers, [](const Waiver& each) -> Json {
    return {{"reason", each.reason}, {"cases", each.cases}};
  });
}

Json notRun(const Report& report) {
  return arrayOf(report.notRun, [](const NotRun& each) -> Json {
    return {{"what", each.what}, {"why", each.why}, {"cases", each.cases}};
  });
}

Json throughput(const Report& report) {
  Json slowest = arrayOf(report.slowest, [&](size_t index) -> Json {
    const JournalEntry& entry = report.cases[index];
    return {{"case", entry.caseString}, {"seconds", entry.seconds}};
  });
  return {{"caseSeconds", report.seconds}, {"slowest", std::move(slowest)}};
}

}  // namespace

ReportDocument toDocument(const Report& report, size_t maxFailures) {
  const Conclusion conclusion = conclude(report);
  Json json = {{"report", kReportVersion}};
  json.update(identity(report.run));
  json["hosts"] = report.hosts;
  json["facts"] = factsOf(report);
  json["conclusion"] = {{"tone", kTones.at(static_cast<size_t>(conclusion.tone))},
                        {"sentence", conclusion.sentence},
                        {"headline", conclusion.headline},
                        {"detail", conclusion.detail},
                        {"remarks", conclusion.remarks},
                        {"exitStatus", exitStatus(report)}};
  json["complete"] = report.complete();
  json["planned"] = report.planned();
  json["missing"] = report.missing();
  json["cases"] = report.caseCount;
  json["totals"] = toDocument(report.totals);
  json["plans"] = plans(report);
  json["conflicts"] = conflicts(report);
  json["duplicates"] = duplicates(report);
  json["cutJournals"] = report.cutJournals;
  json["filters"] = report.filters;
  json["workerFailureCount"] = report.workerFailures.size();
  json["workerFailures"] = workerFailures(report, maxFailures);
  json["claims"] = claims(report);
  json["compliance"] = compliance(report);
  json["matrix"] = matrix(report);
  json["holes"] = holes(report);
  json["rules"] = rules(report);
  json["families"] = families(report);
  json["coverage"] = coverage(report);
  json["weak"] = report.weak;
  json["waivers"] = waivers(report);
  json["notRun"] = notRun(report);
  if (!report.mutants.empty() && !report.mutants["mutants"].empty())
    json["mutants"] = report.mutants;
  json["throughput"] = throughput(report);
  json["replay"] = "dmlcts replay " + replayArguments(report.run);
  json["faults"] = faultsOf(report);
  json["clusters"] = clusters(report);
  json["failures"] = failures(report, maxFailures);
  return json;
}

ReportDocument toSummaryDocument(const Report& report) {
  Json whole = toDocument(report, 0);
  Json summary = Json::object();
  for (const char* member : {"report", "tool", "target", "conclusion", "complete", "planned",
                             "missing", "cases", "totals", "plans", "filters", "workerFailureCount",
                             "claims", "waivers", "notRun", "replay", "faults", "clusters"}) {
    summary[member] = std::move(whole[member]);
  }
  return summary;
}

// There may be many failures: one at a time goes into the document, where its last member is empty.
void writeReportJson(std::ostream& out, const Report& report) {
  constexpr std::string_view kEnd = "[]\n}";
  Json document = toDocument(report, 0);
  document["workerFailures"] = workerFailures(report, SIZE_MAX);
  const std::string text = toText(document, 1);
  out << std::string_view(text).substr(0, text.size() - kEnd.size());
  const char* before = "[\n  ";
  for (size_t index : report.failures) {
    std::string lines = toText(failure(report, report.cases[index]), 1);
    for (size_t at = 0; (at = lines.find('\n', at)) != lines.npos; ++at) lines.insert(at + 1, "  ");
    out << before << lines;
    before = ",\n  ";
  }
  out << (report.failures.empty() ? kEnd : "\n ]\n}") << '\n';
}

}  // namespace dmlcts

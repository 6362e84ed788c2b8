#include "reports/summary/wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/tensor.h"
#include "reports/journal/limits.h"
#include "reports/summary/clusters.h"

namespace dmlcts {
namespace {

std::string_view participle(Verdict verdict) {
  constexpr std::array<std::string_view, kVerdicts.size()> kWords{
      "passed",    "failed",           "arguable",  "not supported",
      "not asked", "crashed",          "timed out", "lost the device",
      "flaky",     "skipped",          "waived",    "passed unexpectedly",
      "vacuous",   "without a verdict"};
  return kWords.at(static_cast<size_t>(verdict));
}

constexpr size_t kMaxName = 100;   // bytes of each string from the target
constexpr size_t kMaxFault = 300;  // bytes of a fault that the target describes

// Returns the name of the tested implementation; for a mutant, its target name. A version alone
// follows the target's name.
std::string subjectOf(const JournalHeader& run) {
  if (run.target == "directml") return "DirectML " + run.implementation.substr(0, kMaxName);
  const bool named = run.target.find(':') == run.target.npos && !run.implementation.empty();
  const bool isNumber = named && std::isdigit(static_cast<unsigned char>(run.implementation[0]));
  if (isNumber) return fmt::format("{} {}", run.target, run.implementation).substr(0, kMaxName);
  return (named ? run.implementation : run.target).substr(0, kMaxName);
}

std::string testedText(const JournalHeader& run) {
  if (!run.sawTarget()) return "A target without an identity";
  std::string text = subjectOf(run);
  if (run.target.starts_with("mutant:")) text += " (deliberately faulty)";
  if (!run.adapter.empty()) text += " on " + run.adapter.substr(0, kMaxName);
  if (!run.driver.empty()) {
    text += ", driver " + run.driver.substr(0, kMaxName);
    if (run.runtime.starts_with("Wine")) text += " (as Wine numbers it)";
  }
  if (!run.runtime.empty()) text += ", " + run.runtime.substr(0, kMaxName);
  if (!run.shaderModel.empty()) text += ", shader model " + run.shaderModel.substr(0, kMaxName);
  // Only the worker itself says what it hosts.
  if (!run.worker.empty()) {
    text += fmt::format(", as the worker \"{}\" says", run.worker.substr(0, kMaxName));
  }
  return text;
}

std::string specificationText(const JournalHeader& run) {
  return fmt::format("rules of {}{}", run.specification.substr(0, kMaxName),
                     run.strict ? ", strict" : "");
}

// Returns the levels for which `chosen` is true, consecutive ones as a range: "gather_nd 2.1 to
// 6.4, nonzero_coordinates 4.0".
template <class Chosen>
std::string listLevels(const Report& report, const Chosen& chosen) {
  std::vector<std::string> parts;
  const auto& rows = report.compliance;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!chosen(rows[i])) continue;
    const size_t first = i;
    while (i + 1 < rows.size() && rows[i + 1].op == rows[first].op && chosen(rows[i + 1])) ++i;
    parts.push_back(fmt::format("{} {}{}", rows[first].op, rows[first].level,
                                i == first ? "" : " to " + rows[i].level));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Cases in which the target was wrong; `known` ones are waived by an expectations file.
struct Wrong {
  uint64_t fresh = 0;
  uint64_t known = 0;
  BrokenRules rules;
  bool allRules = true;  // the journal names a rule that every such case broke
  std::set<std::pair<std::string_view, std::string_view>> where;  // operator, level

  uint64_t all() const { return fresh + known; }
};

// Leaves out UnexpectedPass, and waived cases without kinds, in which the target only lacks
// something.
Wrong findWrong(const Report& report) {
  Wrong wrong;
  wrong.rules = brokenRules(report);
  for (const JournalEntry& entry : report.cases) {
    const bool fresh = isFailure(entry.verdict) && entry.verdict != Verdict::UnexpectedPass;
    const bool known = entry.verdict == Verdict::Waived && !entry.kinds.empty();
    if (!fresh && !known) continue;
    (fresh ? wrong.fresh : wrong.known) += entry.count();
    wrong.allRules = wrong.allRules && !entry.violated.empty();
    if (known && !entry.violated.empty()) {
      wrong.rules.certain.emplace(sharedPart(entry.violated.front()));
    }
    wrong.where.emplace(entry.op, entry.level);
  }
  return wrong;
}

// Returns "99 cases", or "99 cases of FILE".
std::string scopeOf(const Report& report) {
  const std::string& file = report.run.caseFile;
  return counted(report.caseCount, "case") +
         (file.empty() ? "" : " of " + file.substr(0, kMaxName));
}

// "1 rule violated in 7 of 99 cases, 3 known, 4 new"; "1 rule violated, possibly 2, in 7 of 99
// cases"
std::string describe(const Report& report, const Wrong& wrong) {
  const std::string of = fmt::format("{} of {}", grouped(wrong.all()), scopeOf(report));
  std::string text;
  const size_t certain = wrong.rules.certain.size();
  const size_t possible = wrong.rules.possible.size();
  if (certain > 0 && wrong.allRules) {
    text += fmt::format("{} violated{} in {}", counted(certain, "rule"),
                        possible == 0 ? "" : fmt::format(", possibly {},", certain + possible), of);
  } else {
    text += of + (wrong.all() == 1 ? " fails" : " fail");
  }
  if (wrong.known > 0) {
    text += wrong.fresh == 0
                ? ", all known; 0 new"
                : fmt::format(", {} known, {} new", grouped(wrong.known), grouped(wrong.fresh));
  }
  return text;
}

std::string describeConforming(const Report& report, const std::string& conforming) {
  uint64_t arguable = 0;
  uint64_t notAsked = 0;
  for (const ComplianceRow& row : report.compliance) {
    if (row.status != Compliance::Conforms) continue;
    arguable += row.totals[Verdict::Arguable];
    notAsked += row.totals[Verdict::NotAsked];
  }
  std::string text = fmt::format("{} {} on the {} tier", conforming,
                                 conforming.find(',') == conforming.npos ? "conforms" : "conform",
                                 report.run.tier);
  if (notAsked > 0) text += fmt::format("; {} not asked", counted(notAsked, "case"));
  if (arguable > 0) {
    text += fmt::format("; {} arguable", counted(arguable, "case"));
  }
  const std::string open = listLevels(report, [](const ComplianceRow& row) {
    return row.status == Compliance::Partial || row.status == Compliance::Unproven ||
           row.status == Compliance::NotSupported || row.status == Compliance::Broken;
  });
  if (!open.empty()) text += "; not shown of " + open;
  const bool all = std::ranges::none_of(
      report.compliance, [](const ComplianceRow& row) { return row.status == Compliance::NotRun; });
  return all ? text : text + "; other levels not run";
}

std::string verdictOf(const Report& report) {
  if (report.cases.empty()) return "no case was run";
  const Wrong wrong = findWrong(report);
  if (report.isRandom()) {
    return fmt::format("random cases (seed {}): {}", report.run.seed,
                       wrong.all() > 0 ? describe(report, wrong) : tally(report.totals, "case"));
  }
  if (wrong.all() > 0) {
    const std::string where = listLevels(report, [&](const ComplianceRow& row) {
      return wrong.where.contains({row.op, row.level});
    });
    return fmt::format("does not conform at {}: {}", where, describe(report, wrong));
  }
  const std::string conforming = listLevels(
      report, [](const ComplianceRow& row) { return row.status == Compliance::Conforms; });
  if (!conforming.empty()) return describeConforming(report, conforming);
  const std::string chosen = chosenBy(report);
  return fmt::format("no level is shown to conform: {} of {} {}{}",
                     grouped(report.totals[Verdict::Pass]), scopeOf(report),
                     report.totals[Verdict::Pass] == 1 ? "passes" : "pass",
                     chosen.empty() ? "" : ", chosen by " + chosen);
}

// Returns "; not asked of gather_nd 3.0 to 6.4, 2,772 cases: above the target's highest level,
// 2.1", for each reason except a missing level gate.
std::string notAsked(const Report& report) {
  std::map<std::string_view, uint64_t> cases;  // by reason
  for (const ComplianceRow& row : report.compliance) {
    if (row.status != Compliance::NotAsked || row.reason == kNoGate) continue;
    cases[row.reason] += row.totals.all();
  }
  std::string text;
  for (const auto& [reason, count] : cases) {
    const std::string levels = listLevels(report, [&, &why = reason](const ComplianceRow& row) {
      return row.status == Compliance::NotAsked && row.reason == why;
    });
    text += fmt::format("; not asked of {}, {}: {}", levels, counted(count, "case"), reason);
  }
  return text;
}

std::string howMany(const Report& report) {
  const uint64_t without = report.missing() + report.totals[Verdict::InternalError];
  if (without == 0 || without > report.planned()) return "";
  return fmt::format("; {} of {} have a verdict", grouped(report.planned() - without),
                     counted(report.planned(), "planned case"));
}

// Returns "filtered: 1 of 4,400 cases ran"; "" if all did.
std::string extentOf(const Report& report, const Totals& totals, uint64_t tierCases) {
  const uint64_t cases = totals.all();
  const uint64_t ran = cases - totals[Verdict::Skipped];
  const bool filtered = !report.filters.empty();
  if (!filtered && cases >= tierCases) return "";
  const std::string of = tierCases == 0 ? "" : fmt::format(" of {}", grouped(tierCases));
  const std::string& file = report.run.caseFile;
  return fmt::format("{}: {}{} {}{} ran", filtered ? "filtered" : "incomplete", grouped(ran), of,
                     (tierCases == 0 ? ran : tierCases) == 1 ? "case" : "cases",
                     file.empty() ? "" : " of " + file);
}

std::string reservations(const ComplianceRow& row) {
  std::string text;
  for (const auto& [rule, cases] : row.dependsOn) {
    text += fmt::format("; {} arguable by {}", counted(cases, "case"), rule);
  }
  for (const auto& [rule, cases] : row.observed) {
    text += fmt::format("; observed: {} not kept in {}", rule, counted(cases, "case"));
  }
  return text;
}

}  // namespace

std::string tally(const Totals& totals, std::string_view noun) {
  const uint64_t all = totals.all();
  std::string out = fmt::format("{} of {} {}", grouped(totals[Verdict::Pass]),
                                noun.empty() ? grouped(all) : counted(all, noun),
                                totals[Verdict::Pass] == 1 ? "passes" : "pass");
  for (Verdict verdict : kByGravity) {
    if (verdict == Verdict::Pass || totals[verdict] == 0) continue;
    out += fmt::format(", {} {}", grouped(totals[verdict]), participle(verdict));
  }
  return out;
}

std::optional<WrongElements> wrongElements(const JournalEntry& entry) {
  const auto wrong = entry.kinds.find(std::string(kind::kWrongElements));
  const auto testCase = wrong == entry.kinds.end() ? std::nullopt : caseOf(entry);
  if (!testCase) return std::nullopt;
  WrongElements counts{wrong->second, 0};
  for (const TensorSlot& slot : tensors(testCase->descriptor)) {
    if (slot.isOutput) counts.all += elementCount(slot.desc->sizes).value_or(0);
  }
  return counts.wrong <= counts.all ? std::optional(counts) : std::nullopt;
}

ReportDocument toDocument(const Totals& totals) {
  auto counts = ReportDocument::object();
  for (Verdict verdict : kVerdicts) {
    if (totals[verdict] > 0) counts[std::string(name(verdict))] = totals[verdict];
  }
  return counts;
}

std::string chosenBy(const Report& report) {
  std::vector<std::string_view> all;
  for (const std::string& filter : report.filters) {
    if (filter.starts_with("--cases ")) continue;
    const auto options = {"--gtest_filter", "--last-failed", "--level", "--mode"};
    const auto option =
        std::ranges::find_if(options, [&](const char* each) { return filter.starts_with(each); });
    const std::string_view words = option == options.end() ? "queries" : *option;
    if (std::ranges::find(all, words) == all.end()) all.push_back(words);
  }
  std::ranges::sort(all, std::greater());  // queries first
  return fmt::format("{}", fmt::join(all, " and "));
}

Facts factsOf(const Report& report) {
  const JournalHeader& run = report.run;
  std::string files;
  for (const auto& [file, sha256] : run.files) {
    files += (files.empty() ? "" : ", ") + file + " " + sha256.substr(0, 12);
  }
  std::vector<std::string_view> hosts(report.hosts.begin(), report.hosts.end());
  std::erase(hosts, "");
  return {{"Target", run.target},
          {"Adapter", run.adapter},
          {"Vendor and device",
           run.vendorId == 0 ? "" : fmt::format("0x{:04X}:0x{:04X}", run.vendorId, run.deviceId)},
          {"Driver", run.driver},
          {"Runtime", run.runtime},
          {"Implementation", run.implementation},
          {"Shader model", run.shaderModel},
          {"Execution mode", run.mode},
          {"Highest level", run.maxLevel},
          {"Suite", suiteOf(run)},
          {"Files", files},
          {"Specification edition", run.specification + (run.strict ? ", strict" : "")},
          {"Tier", run.tier},
          {"Filtered by", fmt::format("{}", fmt::join(report.filters, " | "))},
          {"Worker failures",
           report.workerFailures.empty() ? "" : grouped(report.workerFailures.size())},
          {"Started", run.startedAt},
          {"Host", fmt::format("{}", fmt::join(hosts, "; "))},
          {"Command", run.commandLine},
          {"Complete", report.complete() ? "yes" : "no"}};
}

std::string firstWords(const JournalEntry& entry) {
  return entry.differences.empty() ? entry.message : entry.differences.front().text();
}

std::string lastWords(const JournalEntry& entry) {
  return entry.differences.empty() ? lastLines(entry.workerStderr) : "";
}

std::string disagreementOf(const Report& report) {
  std::vector<std::string_view> members;
  for (const Conflict& each : report.conflicts) members.push_back(each.member);
  return fmt::format("the journals disagree on {}", fmt::join(members, ", "));
}

std::string suiteOf(const JournalHeader& run) {
  return run.suiteVersion + (run.suiteCommit.empty() ? "" : " " + run.suiteCommit);
}

std::string otherSuite(const JournalHeader& before, const JournalHeader& after) {
  if (suiteOf(before) != suiteOf(after)) {
    return fmt::format("the suites differ, {} and {}: a change need not be one of the target",
                       suiteOf(before), suiteOf(after));
  }
  return before.planHash == after.planHash ? "" : "the runs planned different cases";
}

std::string passWithout(uint64_t number, std::string_view noun, std::string_view term, bool rest) {
  const std::string_view es = number == 1 ? "es" : "";
  const std::string of = counted(number, noun);
  if (!rest) return fmt::format("{} that do{} not match {} pass{}", of, es, term, es);
  return fmt::format("{} that match{} the rest of the query but not {} pass{}", of, es, term, es);
}

std::string listVerdicts(const Totals& totals) {
  std::string out;
  for (Verdict verdict : kByGravity) {
    if (totals[verdict] == 0) continue;
    if (!out.empty()) out += ", ";
    out += fmt::format("{} {}", grouped(totals[verdict]), name(verdict));
  }
  return out;
}

std::string statementOf(const Report& report, const ComplianceRow& row) {
  const Totals& totals = row.totals;
  const uint64_t all = totals.all();
  const std::string extent = extentOf(report, totals, row.tierCases);
  const std::string tail = extent.empty() ? "" : "; " + extent;
  std::string outcome = all == 1 ? ", and it passed" : ", all passed";
  if (totals[Verdict::Pass] < all) outcome = ": " + tally(totals);
  switch (row.status) {
    case Compliance::Conforms:
      return fmt::format(
          "conforms on the {} tier{}{}", report.run.tier,
          totals[Verdict::NotAsked] == 0
              ? ""
              : fmt::format("; {} of {} not asked", grouped(totals[Verdict::NotAsked]),
                            counted(all, "case")),
          reservations(row));
    case Compliance::Absent:
      return "absent, rightly rejected";
    case Compliance::Broken:
      return "broken: " + tally(totals) + tail;
    case Compliance::Partial:
    case Compliance::NotSupported:
      return tally(totals) + tail;
    case Compliance::Unproven:
      if (row.reason == kIncomplete) return extent + outcome;
      return "unproven: " + tally(totals) + "; " + row.reason;
    case Compliance::Filtered:
      return extent + outcome;
    case Compliance::NotAsked:
      return "not asked: " + row.reason;
    case Compliance::NotRun:
      return "not run";
  }
  return "";
}

std::string sentenceOf(const Report& report) {
  const std::string fault = avoidedFaultOf(report.run);
  return fmt::format("{}: {}{}{}{}{}; {}", testedText(report.run), verdictOf(report),
                     notAsked(report), howMany(report), fault.empty() ? "" : "; ", fault,
                     specificationText(report.run));
}

std::string avoidedFaultOf(const JournalHeader& run) {
  const auto fault = run.limits.find(limit::kDriverFault);
  if (fault == run.limits.end()) return "";
  return "avoids a fault of its driver: " + fault->second.substr(0, kMaxFault);
}

}  // namespace dmlcts

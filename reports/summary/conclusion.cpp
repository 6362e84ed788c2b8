#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "reference/rules.h"
#include "reports/journal/limits.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

constexpr size_t kMaxQuoted = 500;  // bytes of each quoted string from a worker or header

// Without a full stop: what follows may be one.
std::string cut(const std::string& text) {
  if (text.size() > kMaxQuoted) return text.substr(0, kMaxQuoted) + "…";
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

std::string outcomeOf(const Report& report) {
  const Totals& totals = report.totals;
  const uint64_t all = totals.all();
  const size_t workerFailures = report.workerFailures.size();
  std::string more =
      workerFailures == 0 ? "" : fmt::format("; {}", counted(workerFailures, "worker failure"));
  const std::string shortfall = shortfallOf(report);
  if (!shortfall.empty()) {
    more += "; " + shortfall;
  } else if (!report.complete()) {
    more += "; the report is incomplete";
  }
  if (totals.failures() > 0) {
    return fmt::format("{} of {} failed{}.", grouped(totals.failures()), counted(all, "case"),
                       more);
  }
  if (totals[Verdict::Waived] > 0) {
    Totals others = totals;
    others[Verdict::Pass] = others[Verdict::Waived] = 0;
    return fmt::format("No new failure: {} passed, {} waived{}{}{}.",
                       grouped(totals[Verdict::Pass]),
                       counted(totals[Verdict::Waived], "known failure"),
                       others.all() > 0 ? ", " : "", listVerdicts(others), more);
  }
  if (totals[Verdict::Pass] < all || workerFailures > 0) return tally(totals, "case") + more + ".";
  if (!more.empty()) {
    return fmt::format("{} so far, all as expected{}.", counted(all, "case"), more);
  }
  return all == 1 ? "The only case went as expected."
                  : fmt::format("All {} as expected.", counted(all, "case"));
}

std::string headlineOf(const Report& report) {
  if (report.totals.all() == 0 && report.workerFailures.empty()) return "No case was run.";
  std::string outcome = outcomeOf(report);
  if (report.filters.empty()) return outcome;
  if (outcome[0] >= 'A' && outcome[0] <= 'Z')
    outcome[0] = static_cast<char>(outcome[0] + 'a' - 'A');
  return "Filtered: " + outcome;
}

// Lists the failed verdicts, then all others except Pass; "" if nothing failed.
std::string detailOf(const Totals& totals) {
  if (totals.failures() == 0) return "";
  Totals failed;
  Totals others;
  for (Verdict verdict : kVerdicts) {
    if (verdict != Verdict::Pass) (isFailure(verdict) ? failed : others)[verdict] = totals[verdict];
  }
  const std::string first = listVerdicts(failed);
  const std::string second = listVerdicts(others);
  return first + "." + (second.empty() ? "" : " Besides: " + second + ".");
}

// Remarks on a foreign specification edition, and on rules not kept that no page states.
void remarkOnSpecification(const Report& report, std::vector<std::string>& remarks) {
  if (report.run.specification != kSpecificationEdition) {
    remarks.push_back(
        fmt::format("Judged by the specification edition {}, not by {}, the one of these rules.",
                    cut(report.run.specification), kSpecificationEdition));
  }
  if (report.run.strict) return;
  std::map<std::string_view, uint64_t> observed;
  for (const JournalEntry& entry : report.cases) {
    for (const auto& [rule, times] : entry.observations) observed[rule] += entry.count();
  }
  for (const auto& [rule, cases] : observed) {
    remarks.push_back(fmt::format("Observed, which no page forbids: {} not kept in {}.", rule,
                                  counted(cases, "case")));
  }
}

void remarkOnTarget(const Report& report, std::vector<std::string>& remarks) {
  if (const std::string fault = avoidedFaultOf(report.run); !fault.empty()) {
    remarks.push_back(
        fmt::format("The target {}: nothing is shown of what it avoids.", cut(fault)));
  }
  const auto level = report.run.limits.find(limit::kReportedLevel);
  if (level == report.run.limits.end()) return;
  remarks.push_back(fmt::format(
      "The target's highest level is {}, which this suite does not know: asked up to {}.",
      cut(level->second), report.run.maxLevel));
}

void remarkOnRandom(const Report& report, std::vector<std::string>& remarks) {
  if (!report.isRandom()) return;
  const auto& coverage = report.coverage();
  remarks.push_back(
      fmt::format("Random cases (seed {}), {:.1f} s in cases; they say nothing of levels{}.",
                  report.run.seed, report.seconds, coverage ? "; " + coverageLine(*coverage) : ""));
}

void remarkOnScope(const Report& report, std::vector<std::string>& remarks) {
  if (!report.filters.empty()) {
    uint64_t whole = 0;
    for (const auto& [level, cases] : report.run.tierCases) whole += cases;
    const std::string of =
        whole == 0 ? "" : fmt::format(" of the {} of the {} tier", grouped(whole), report.run.tier);
    remarks.push_back(fmt::format("Filtered: {}{}, chosen by \"{}\".",
                                  counted(report.caseCount, "case"), of,
                                  fmt::join(report.filters, "\", \"")));
  }
  uint64_t noGate = 0, noMode = 0;
  for (const JournalEntry& entry : report.cases) {
    if (entry.verdict != Verdict::NotAsked) continue;
    if (entry.levelOnly) noGate += entry.count();
    if (!entry.mode.empty()) noMode += entry.count();
  }
  if (noMode > 0) {
    remarks.push_back(fmt::format("{} not asked: the target does not have {}.",
                                  counted(noMode, "case"),
                                  noMode == 1 ? "its execution mode" : "their execution modes"));
  }
  if (noGate > 0) {
    remarks.push_back(
        fmt::format("{} not asked: {} must be rejected only because of the feature level, and this "
                    "device accepts calls of any level.",
                    counted(noGate, "case"), noGate == 1 ? "it" : "they"));
  }
}

void remarkOnOthers(const Report& report, std::vector<std::string>& remarks) {
  if (report.caseCount == report.cases.size()) return;
  remarks.push_back(
      fmt::format("Lists {} of {}: of cases alike in operator, level, type, rank, family and "
                  "verdict the slowest stands for the others, which are counted.",
                  grouped(report.cases.size()), counted(report.caseCount, "case")));
}

void remarkOnSkipped(const Report& report, std::vector<std::string>& remarks) {
  for (const NotRun& each : report.notRun) {
    if (each.what != kSkipped) continue;
    remarks.push_back(fmt::format("Skipped and never sent to the target: {}. {}.",
                                  counted(each.cases, "case"), cut(each.why)));
  }
}

void remarkOnArguable(const Report& report, std::vector<std::string>& remarks) {
  std::map<std::string_view, uint64_t> byRule;
  for (const ComplianceRow& row : report.compliance) {
    for (const auto& [rule, cases] : row.dependsOn) byRule[rule] += cases;
  }
  for (const auto& [rule, cases] : byRule) {
    remarks.push_back(fmt::format("{} arguable by {}.", counted(cases, "case"), rule));
  }
}

// The reasons of most cases, by the names that the target or the worker's hello gives them.
void remarkOnNotSupported(const Report& report, std::vector<std::string>& remarks) {
  constexpr size_t kReasonsNamed = 3;
  std::string text;
  uint64_t rest = report.totals[Verdict::NotSupported];
  size_t named = 0;
  for (const NotRun& each : report.notRun) {
    if (each.what != kNotSupported || named == kReasonsNamed) continue;
    ++named;
    rest -= each.cases;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", counted(each.cases, "case"),
                        cut(each.why));
  }
  if (named == 0) return;
  if (rest > 0) text += fmt::format("; {} for other reasons", counted(rest, "more case"));
  remarks.push_back(fmt::format("Not supported: {}.", text));
  remarks.push_back(
      "Where such a limit is true, an expectation allows it (\"verdict\": \"NotSupported\", "
      "\"message\": as above); `dmlcts report expectations` drafts them.");
}

// Nothing is left open but what nobody had to ask; contents drawn at random may well show nothing.
bool isClean(const Report& report) {
  const Totals& totals = report.totals;
  const uint64_t vacuous = report.isRandom() ? totals[Verdict::Vacuous] : 0;
  return totals[Verdict::Pass] > 0 &&
         totals[Verdict::Pass] + totals[Verdict::NotAsked] + vacuous == totals.all();
}

}  // namespace

Conclusion conclude(const Report& report) {
  Conclusion conclusion;
  conclusion.sentence = sentenceOf(report);
  conclusion.headline = headlineOf(report);
  conclusion.detail = detailOf(report.totals);
  auto& remarks = conclusion.remarks;
  remarkOnTarget(report, remarks);
  remarkOnRandom(report, remarks);
  remarkOnScope(report, remarks);
  remarkOnOthers(report, remarks);
  remarkOnArguable(report, remarks);
  remarkOnNotSupported(report, remarks);
  remarkOnSkipped(report, remarks);
  remarkOnSpecification(report, remarks);
  if (!report.workerFailures.empty()) {
    const JournalWorkerFailure& first = report.workerFailures.front();
    remarks.push_back(fmt::format("{} outside any case. The first: {} {}{}{}.",
                                  counted(report.workerFailures.size(), "worker failure"),
                                  name(first.verdict), first.when,
                                  first.message.empty() ? "" : ": ", cut(first.message)));
  }
  for (const Conflict& conflict : report.conflicts) {
    std::string values;
    for (const std::string& value : conflict.values) {
      values += (values.empty() ? "\"" : "\", \"") + cut(value);
    }
    remarks.push_back(fmt::format("The journals disagree on {}: {}\".", conflict.member, values));
  }
  for (const NotRun& each : report.notRun) {
    if (each.isOfShards) remarks.push_back(each.what + ": " + each.why);
  }
  if (std::ranges::any_of(report.schedules, &ScheduledShards::others)) {
    remarks.emplace_back("The cases are not those of the plan that the journals name.");
  }
  for (const std::string& journal : report.cutJournals) {
    remarks.push_back(fmt::format("The journal {} ends in an unfinished line.", journal));
  }
  if (!report.duplicates.empty()) {
    const Duplicate& first = report.duplicates.front();
    remarks.push_back(fmt::format(
        "{} {} more than one verdict; the graver one counts. The first: {} ({} and {}).",
        counted(report.duplicates.size(), "case string"),
        report.duplicates.size() == 1 ? "has" : "have", first.caseString, name(first.counted),
        name(first.other)));
  }
  if (report.totals.failTheRun() > 0 || !report.workerFailures.empty()) {
    conclusion.tone = Conclusion::Tone::Bad;
  } else if (report.complete() && report.filters.empty() && isClean(report) &&
             avoidedFaultOf(report.run).empty()) {
    conclusion.tone = Conclusion::Tone::Good;
  }
  return conclusion;
}

}  // namespace dmlcts

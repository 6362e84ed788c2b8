#include "reports/summary/wording.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>

#include "reference/tensor.h"
#include "reports/journal/limits.h"
#include "reports/summary/clusters.h"

namespace dmlcts {
namespace {

constexpr size_t kMaxQuoted = 500;  // bytes of each quoted string from a worker or header

// Without a full stop: what follows may be one.
std::string cut(const std::string& text) {
  if (text.size() > kMaxQuoted) return text.substr(0, kMaxQuoted) + "…";
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

std::string_view participle(Verdict verdict) {
  constexpr std::array<std::string_view, kVerdicts.size()> kWords{
      "passed",    "failed",           "arguable",  "not supported",
      "not asked", "crashed",          "timed out", "lost the device",
      "flaky",     "skipped",          "waived",    "passed unexpectedly",
      "vacuous",   "without a verdict"};
  return kWords.at(static_cast<size_t>(verdict));
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

std::string shellWord(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.=:,()*+/@ ";
  const bool plain = text.find_first_not_of(kPlain) == text.npos;
  if (plain && text.find_first_of(" ()*") == text.npos && !text.empty()) return std::string(text);
  if (plain) return fmt::format("\"{}\"", text);
  std::string out = "'";
  for (char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string replayLine(const std::string& arguments, std::string_view caseString) {
  return fmt::format("dmlcts replay {}{}{}", arguments, arguments.empty() ? "" : " ",
                     shellWord(caseString));
}

namespace {

// Quotes the words of a command line again: a journal may come from anybody.
std::string requoted(std::string_view line) {
  std::string out;
  std::string word;
  bool begun = false;
  char quote = '\0';
  const auto end = [&] {
    if (begun) out += (out.empty() ? "" : " ") + shellWord(word);
    word.clear();
    begun = false;
  };
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '\0' && c == ' ') {
      end();
      continue;
    }
    begun = true;
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote == '\0' && c == '\\' && i + 1 < line.size()) {
      word += line[++i];
    } else {
      word += c;
    }
  }
  end();
  return out;
}

}  // namespace

std::string replayArguments(const JournalHeader& run) {
  if (!run.replayArguments.empty()) return requoted(run.replayArguments);
  return fmt::format("--target {}{}{}", shellWord(run.target),
                     run.mode.empty() ? "" : " --mode " + shellWord(run.mode),
                     run.strict ? " --strict" : "");
}

namespace {

// Returns when the case fails: by an investigation of this case, else of its kind of failure.
// Before another case, the tier may have more that execute nothing, so as many requests as it had.
When whenOf(const Report& report, const JournalEntry& entry) {
  When when;
  const std::string kind = failureKind(entry);
  for (const JournalInvestigation& each : report.investigations) {
    if (kind.empty() || each.failure != kind) continue;
    if (each.caseString == entry.caseString) return each.when;
    // Prefers, of two answers for a kind, the plain one: it is about most cases.
    if (when.occurs == Occurs::Always) continue;
    when = each.when;
    when.requests = std::max(when.requests, entry.request - std::min<uint64_t>(entry.request, 1));
    if (when.after == each.caseString) when.after = entry.caseString;  // the second time
  }
  return when;
}

// Returns the options and cases with which `dmlcts replay` shows a failure.
std::string circumstances(const Report& report, const JournalEntry& entry,
                          const std::string& arguments) {
  constexpr uint64_t kMostRepeats = 100;
  constexpr uint64_t kRepeats = 20;
  const When when = whenOf(report, entry);
  const std::string& tier = report.run.tier;
  const std::string ofTier =
      tier.empty() || tier == "default" || report.isRandom() ? "" : " --tier " + shellWord(tier);
  const auto repeat = [&](uint64_t times) {
    // An option that the run had, too, is not given twice.
    const bool given =
        arguments.find("--repeat") != arguments.npos || arguments.find("--piece") != arguments.npos;
    return given ? "" : fmt::format(" --repeat {}", times);
  };
  switch (when.occurs) {
    case Occurs::AfterRequests:
      return fmt::format(" --after {}{}", when.requests, ofTier);
    case Occurs::AfterCase:
      return ' ' + shellWord(when.after);
    case Occurs::BesideWorkers:
      return fmt::format(" --beside {}{}", std::max<uint64_t>(2, when.workers) - 1, ofTier);
    case Occurs::Sometimes:
      return repeat(when.failed == 0 ? kMostRepeats
                                     : std::clamp<uint64_t>(4 * when.tries / when.failed, kRepeats,
                                                            kMostRepeats));
    default:
      return entry.verdict == Verdict::Flaky ? repeat(kRepeats) : "";
  }
}

}  // namespace

std::string replayArguments(const Report& report, const JournalEntry& entry) {
  const std::string arguments = replayArguments(report.run);
  return arguments + circumstances(report, entry, arguments);
}

std::string replayCommand(const Report& report, const JournalEntry& entry) {
  return replayLine(replayArguments(report, entry), entry.caseString);
}

}  // namespace dmlcts

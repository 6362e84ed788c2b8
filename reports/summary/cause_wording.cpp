#include <fmt/format.h>

#include <algorithm>

#include "conformance/facts/terms.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

// Returns the cause's terms in words: "of gather_nd, with a negative index".
std::string causeWords(const Cause& cause) {
  std::string words;
  for (bool negated : {false, true}) {  // positive terms first
    for (const Cause::Term& term : cause.terms) {
      if ((term.text.find("!=") != term.text.npos) != negated) continue;
      words += (words.empty() ? "" : ", ") + wordsOf(term.text);
    }
  }
  return words;
}

std::string ordinal(uint64_t number) {
  const uint64_t last = number % 10, tens = number / 10 % 10;
  return grouped(number) + (tens == 1   ? "th"
                            : last == 1 ? "st"
                            : last == 2 ? "nd"
                            : last == 3 ? "rd"
                                        : "th");
}

// Says when the failure occurs, if parameters do not tell; else "".
std::string processText(const When& when) {
  switch (when.occurs) {
    case Occurs::AfterRequests:
      return fmt::format(
          "a new worker passes this case; it fails from about the {} request of a process on",
          ordinal(when.requests + 1));
    case Occurs::AfterCase:
      return fmt::format("a new worker passes this case; it fails after \"{}\" in one process",
                         when.after);
    case Occurs::BesideWorkers:
      return fmt::format("{} ran at once; with no other worker running, this case passes",
                         counted(std::max<uint64_t>(2, when.workers), "worker"));
    default:
      return "";
  }
}

// Returns ", 17 of which passed when repeated; again, its shortest case failed in 3 of 10 tries".
std::string chanceText(const Cluster& cluster) {
  std::string text;
  const uint64_t flaky = cluster.totals[Verdict::Flaky];
  if (flaky > 0 && flaky < cluster.totals.all()) {
    text += fmt::format(", {} of which passed when repeated", grouped(flaky));
  }
  if (cluster.when.occurs == Occurs::Sometimes) {
    text += fmt::format("; one of them failed in {} of {} tries", grouped(cluster.when.failed),
                        grouped(cluster.when.tries));
  }
  return text;
}

}  // namespace

std::string faultsOf(const Report& report) {
  if (report.clusters.empty()) return "";
  const Cluster& last = report.clusters.back();
  const uint64_t rest = last.isCause() ? 0 : last.totals.all();
  const uint64_t faults = report.clusters.size() - (last.isCause() ? 0 : 1);
  const uint64_t all = report.totals.failures() + report.totals[Verdict::InternalError];
  const std::string cases = counted(all, "failing case");
  if (faults == 0) return cases + " that no query tells from passing ones";
  if (rest == 0) return fmt::format("{}, {}", counted(faults, "fault"), cases);
  return fmt::format("{} in {} of {}", counted(faults, "fault"), grouped(all - rest), cases);
}

std::string headlineOf(const Cluster& cluster) {
  const std::string totals = listVerdicts(cluster.totals);
  const std::string a = cluster.amongListed ? "listed case" : "case";
  if (const std::string process = processText(cluster.when); !process.empty()) {
    return fmt::format("{}: {}", totals, process);
  }
  const std::string chance = chanceText(cluster);
  if (cluster.query.empty() && !cluster.message.empty()) {
    return fmt::format("{}: {}{}", totals, cluster.message, chance);
  }
  if (cluster.query.empty()) {
    return totals + ", which no query tells from passing cases" + chance;
  }
  if (cluster.query == "*" && cluster.passing == 0) {
    return fmt::format("{}: every {} {}{}", totals, a,
                       cluster.whole ? "of the run" : "with a clear verdict", chance);
  }
  if (cluster.query == "*") {
    return fmt::format("{} of {}{}", totals, counted(cluster.totals.all() + cluster.passing, a),
                       chance);
  }
  std::string words = causeWords(cluster);
  for (const Cause& each : cluster.alternatives) words += ", or " + causeWords(each);
  if (words != "with " + cluster.query) words += " (" + cluster.query + ")";
  words += chance;
  if (cluster.passing > 0) {
    return fmt::format("{} of {} {}", totals, counted(cluster.totals.all() + cluster.passing, a),
                       words);
  }
  if (cluster.totals.all() == 1) return fmt::format("{}: the only {} {}", totals, a, words);
  return fmt::format("{}: every {} {}", totals, a, words);
}

std::string extentOf(const Cluster& cluster) {
  std::string text;
  for (const Cluster::Dimension& each : cluster.dimensions) {
    text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", each.whole ? "all " : "", each.name,
                        each.whole ? "" : " " + each.values);
  }
  if (!cluster.alternatives.empty()) return text;
  for (const Cause::Term& term : cluster.terms) {
    text += "; " + passWithout(term.passWithout, "case", term.text, cluster.terms.size() > 1);
  }
  return text;
}

std::string ruleTextOf(const Report& report, const Cluster& cluster) {
  if (cluster.totals[Verdict::UnexpectedPass] == cluster.totals.all()) return "";
  std::string_view id = cluster.rule.id, is = cluster.rule.broken ? "breaks" : "exercises";
  if (id.empty()) {
    const JournalEntry& shortest = report.cases[cluster.shortest];
    if (shortest.violated.empty()) return "";
    id = shortest.violated.front();
    is = "its shortest case breaks";
  }
  const Rule* rule = findRule(id);
  return fmt::format("{} {}{}", is, id, rule ? ": " + std::string(rule->wording) : "");
}

}  // namespace dmlcts

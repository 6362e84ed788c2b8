#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "reports/render/writers.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

// Beyond so many failures and errors there is one test case per cause.
constexpr uint64_t kMaxSingle = 1000;

// NotSupported fails the run, so a CI system must not show it as skipped.
uint64_t skipped(const Totals& totals) {
  return totals.all() - totals[Verdict::Pass] - totals[Verdict::InternalError] -
         totals.failTheRun();
}

// `errors` counts errors of the run as a whole.
std::string counts(const Totals& totals, double seconds, size_t workerFailures = 0,
                   size_t errors = 0) {
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.6f}")",
                     totals.all() + workerFailures + errors, totals.failTheRun() + workerFailures,
                     totals[Verdict::InternalError] + errors, skipped(totals), seconds);
}

size_t errorsOf(const Report& report) { return shortfallOf(report).empty() ? 0 : 1; }

bool isFailureOrError(Verdict verdict) {
  return failsRun(verdict) || verdict == Verdict::InternalError;
}

// Returns the text of a <failure> or <error>.
std::string details(const Report& report, const JournalEntry& entry) {
  std::string text = entry.message + "\n";
  for (const Difference& each : entry.differences) text += each.text() + "\n";
  for (const std::string& line : entry.attempts) text += "attempt: " + line + "\n";
  for (const std::string& line : entry.violated) text += "broken rule: " + line + "\n";
  for (const std::string& line : entry.rules) text += "exercised rule: " + line + "\n";
  if (!entry.bundle.empty()) text += "bundle: " + entry.bundle + "\n";
  return text + replayCommand(report, entry) + "\n";
}

void writeCase(std::ostream& out, const Report& report, const JournalEntry& entry) {
  out << fmt::format(R"(  <testcase classname="dmlcts.{}.{}" name="{}" time="{:.6f}")",
                     escapeMarkup(entry.op), escapeMarkup(entry.family),
                     escapeMarkup(entry.caseString), entry.seconds);
  if (entry.verdict == Verdict::Pass) {
    out << "/>\n";
    return;
  }
  out << ">\n";
  const std::string message = escapeMarkup(entry.message);
  if (isFailureOrError(entry.verdict)) {
    out << fmt::format("   <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n",
                       failsRun(entry.verdict) ? "failure" : "error", name(entry.verdict), message,
                       escapeMarkup(details(report, entry)));
  } else {
    out << fmt::format("   <skipped message=\"{}: {}\"/>\n", name(entry.verdict), message);
  }
  if (!entry.workerStderr.empty()) {
    out << "   <system-err>" << escapeMarkup(entry.workerStderr) << "</system-err>\n";
  }
  out << "  </testcase>\n";
}

// A test case that stands for several.
struct Together {
  std::string name;
  std::string text;  // what they have in common
  Totals totals;
  const JournalEntry* shortest = nullptr;
};

// Returns the failures and errors by the family of their shortest case: one for each cause and, of
// cases that belong to none, one for each family, verdict and message.
std::map<std::string_view, std::vector<Together>> failuresTogether(const Report& report) {
  std::map<std::string_view, std::vector<Together>> all;
  std::set<size_t> told;
  for (const Cluster& cluster : report.clusters) {
    const JournalEntry& shortest = report.cases[cluster.shortest];
    std::string text = headlineOf(cluster) + "\n";
    for (const std::string& more : {ruleTextOf(report, cluster), extentOf(cluster)}) {
      if (!more.empty()) text += more + "\n";
    }
    all[shortest.family].push_back(
        {cluster.query.empty() ? "failures that no query tells from passing cases" : cluster.query,
         std::move(text), cluster.totals, &shortest});
    told.insert(cluster.cases.begin(), cluster.cases.end());
  }
  std::map<std::pair<std::string_view, std::string>, Together> others;
  for (size_t i = 0; i < report.cases.size(); ++i) {
    const JournalEntry& entry = report.cases[i];
    if (!isFailureOrError(entry.verdict) || told.contains(i)) continue;
    const std::string name =
        fmt::format("{}: {}", dmlcts::name(entry.verdict), limitOf(entry.message));
    Together& group = others[{entry.family, name}];
    group.name = name;
    group.totals[entry.verdict] += entry.count();
    const bool shorter =
        !group.shortest || entry.caseString.size() < group.shortest->caseString.size();
    if (shorter) group.shortest = &entry;
  }
  for (auto& [key, group] : others) all[key.first].push_back(std::move(group));
  return all;
}

void writeTogether(std::ostream& out, const Report& report, const Together& group) {
  const bool fails = group.totals.failTheRun() > 0;
  const JournalEntry& shortest = *group.shortest;
  out << fmt::format(
      "  <testcase classname=\"dmlcts.cause\" name=\"{0}\" time=\"0\">\n"
      "   <{1} type=\"{2}\" message=\"{3}\">{4}</{1}>\n  </testcase>\n",
      escapeMarkup(group.name), fails ? "failure" : "error", name(shortest.verdict),
      escapeMarkup(listVerdicts(group.totals) + "; the shortest: " + shortest.message),
      escapeMarkup(group.text + "The shortest case: " + shortest.caseString + "\n" +
                   details(report, shortest)));
}

void writeProperty(std::ostream& out, std::string_view what, const std::string& value) {
  out << fmt::format("   <property name=\"{}\" value=\"{}\"/>\n", escapeMarkup(what),
                     escapeMarkup(value));
}

// Writes a suite for the whole run: a failed test for each worker failure, and an error if cases
// are missing.
void writeRun(std::ostream& out, const Report& report) {
  out << fmt::format(" <testsuite name=\"run\" {}>\n  <properties>\n",
                     counts({}, 0, report.workerFailures.size(), errorsOf(report)));
  const Conclusion conclusion = conclude(report);
  writeProperty(out, "sentence", conclusion.sentence);
  writeProperty(out, "conclusion", conclusion.headline);
  for (const std::string& remark : conclusion.remarks) writeProperty(out, "remark", remark);
  for (const Claim& claim : report.claims) {
    writeProperty(out, claim.op + " " + claim.levels(), claim.statement);
  }
  for (const auto& [file, sha256] : report.run.files) {
    writeProperty(out, "SHA-256 of " + file, sha256);
  }
  out << "  </properties>\n";
  if (const std::string shortfall = shortfallOf(report); !shortfall.empty()) {
    out << fmt::format(
        "  <testcase classname=\"dmlcts.run\" name=\"whole\" time=\"0\">\n"
        "   <error type=\"Missing\" message=\"{}\"/>\n  </testcase>\n",
        escapeMarkup(shortfall));
  }
  size_t number = 0;
  for (const JournalWorkerFailure& workerFailure : report.workerFailures) {
    out << fmt::format(
        "  <testcase classname=\"dmlcts.worker-failure\" name=\"worker failure {}: {} {}\" "
        "time=\"0\">\n"
        "   <failure type=\"{}\" message=\"{}\"/>\n",
        ++number, name(workerFailure.verdict), escapeMarkup(workerFailure.when),
        name(workerFailure.verdict), escapeMarkup(workerFailure.message));
    if (!workerFailure.workerStderr.empty()) {
      out << "   <system-err>" << escapeMarkup(workerFailure.workerStderr) << "</system-err>\n";
    }
    out << "  </testcase>\n";
  }
  out << " </testsuite>\n";
}

}  // namespace

void writeJUnit(std::ostream& out, const Report& report) {
  const uint64_t wrong = report.totals.failTheRun() + report.totals[Verdict::InternalError];
  const bool together = wrong > kMaxSingle;
  std::map<std::string_view, std::vector<const JournalEntry*>> casesOf;
  for (const JournalEntry& entry : report.cases) {
    if (!together || !isFailureOrError(entry.verdict)) casesOf[entry.family].push_back(&entry);
  }
  std::map<std::string_view, std::vector<Together>> groupsOf;
  if (together) groupsOf = failuresTogether(report);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << fmt::format(
             "<testsuites name=\"dmlcts {}{}\" {}>\n", escapeMarkup(report.run.target),
             report.filters.empty() ? "" : ", filtered",
             counts(report.totals, report.seconds, report.workerFailures.size(), errorsOf(report)));
  writeRun(out, report);
  for (const FamilyRow& family : report.families) {
    out << fmt::format(" <testsuite name=\"{}\" {}", escapeMarkup(family.family),
                       counts(family.totals, family.seconds));
    if (!report.run.startedAt.empty()) {
      out << fmt::format(" timestamp=\"{}\"", escapeMarkup(report.run.startedAt));
    }
    out << ">\n";
    for (const JournalEntry* entry : casesOf[family.family]) writeCase(out, report, *entry);
    for (const Together& group : groupsOf[family.family]) writeTogether(out, report, group);
    out << " </testsuite>\n";
  }
  out << "</testsuites>\n";
}

}  // namespace dmlcts

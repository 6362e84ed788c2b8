#include <fmt/format.h>

#include <iterator>
#include <map>
#include <vector>

#include "reports/escape.h"
#include "reports/wording.h"
#include "reports/writers.h"

namespace dmlcts {
namespace {

uint64_t skipped(const Totals& totals) {
  return totals[Verdict::NotSupported] + totals[Verdict::Waived] + totals[Verdict::Vacuous];
}

std::string counts(const Totals& totals, double seconds) {
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.6f}")",
                     totals.all(), totals.failures(), totals[Verdict::InternalError],
                     skipped(totals), seconds);
}

// The text of a <failure> or <error>.
std::string details(const Report& report, const JournalEntry& entry) {
  std::string text = entry.message + "\n";
  for (const std::string& line : entry.differences) text += line + "\n";
  for (const std::string& line : entry.attempts) text += "attempt: " + line + "\n";
  for (const std::string& line : entry.rules) text += "rule: " + line + "\n";
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
  if (isFailure(entry.verdict) || entry.verdict == Verdict::InternalError) {
    out << fmt::format("   <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n",
                       isFailure(entry.verdict) ? "failure" : "error", name(entry.verdict), message,
                       escapeMarkup(details(report, entry)));
  } else {
    out << fmt::format("   <skipped message=\"{}: {}\"/>\n", name(entry.verdict), message);
  }
  if (!entry.workerStderr.empty()) {
    out << "   <system-err>" << escapeMarkup(entry.workerStderr) << "</system-err>\n";
  }
  out << "  </testcase>\n";
}

}  // namespace

void writeJUnit(std::ostream& out, const Report& report) {
  std::map<std::string_view, std::vector<const JournalEntry*>> casesOf;
  for (const JournalEntry& entry : report.cases) casesOf[entry.family].push_back(&entry);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << fmt::format("<testsuites name=\"dmlcts {}\" {}>\n", escapeMarkup(report.run.target),
                     counts(report.totals, report.seconds));
  for (const FamilyRow& family : report.families) {
    out << fmt::format(" <testsuite name=\"{}\" {}", escapeMarkup(family.family),
                       counts(family.totals, family.seconds));
    if (!report.run.startedAt.empty()) {
      out << fmt::format(" timestamp=\"{}\"", escapeMarkup(report.run.startedAt));
    }
    out << ">\n";
    for (const JournalEntry* entry : casesOf[family.family]) writeCase(out, report, *entry);
    out << " </testsuite>\n";
  }
  out << "</testsuites>\n";
}

}  // namespace dmlcts

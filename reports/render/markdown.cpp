#include <fmt/format.h>

#include <algorithm>

#include "reports/render/writers.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

constexpr size_t kMaxClusters = 20;
constexpr size_t kMaxFailures = 50;
constexpr size_t kMaxWorkerFailures = 20;
constexpr size_t kMaxDetail = 2000;  // bytes of a failure's block
constexpr size_t kMaxRows = 100;     // of any other list

std::string cut(const std::string& text, size_t length) {
  return text.size() <= length ? text : text.substr(0, length) + "…";
}

std::string cutCode(const std::string& text) { return markdownCode(cut(text, 400)); }

// Writes the first `most` items of a list, and how many more there are.
template <class List, class Write>
void writeFirst(std::ostream& out, const List& list, size_t most, const Write& write) {
  const size_t shown = std::min(most, list.size());
  std::for_each_n(list.begin(), shown, write);
  if (shown < list.size()) out << fmt::format("\n{} more in report.json.\n", list.size() - shown);
  if (shown > 0) out << '\n';
}

void writeIdentity(std::ostream& out, const Report& report) {
  const JournalHeader& run = report.run;
  out << markdownRow({"Tested", ""}) << markdownRow({"---", "---"});
  for (const auto& [what, value] : factsOf(report)) {
    // The files are below, with their whole sums.
    if (!value.empty() && what != "Files") out << markdownRow({what, cutCode(value)});
  }
  out << '\n';
  if (run.files.empty()) return;
  out << "<details><summary>" << counted(run.files.size(), "file")
      << " of the implementation, runtime and driver</summary>\n\n"
      << markdownRow({"File", "SHA-256"}) << markdownRow({"---", "---"});
  writeFirst(out, run.files, kMaxRows, [&](const auto& file) {
    out << markdownRow({cutCode(file.first), cutCode(file.second)});
  });
  out << "</details>\n\n";
}

void writeTotals(std::ostream& out, const Report& report) {
  out << markdownRow({"Verdict", "Cases"}) << markdownRow({"---", "---:"});
  for (Verdict verdict : kVerdicts) {
    if (report.totals[verdict] == 0) continue;
    out << markdownRow({std::string(name(verdict)), grouped(report.totals[verdict])});
  }
  if (report.missing() > 0)
    out << markdownRow({"planned, without a verdict", grouped(report.missing())});
  out << '\n';
}

void writeCompliance(std::ostream& out, const Report& report) {
  if (report.claims.empty()) return;
  out << "### Compliance per level\n\n"
      << markdownRow({"Operator", "Levels", "What is known", "Rule broken by most of its failures"})
      << markdownRow({"---", "---", "---", "---"});
  writeFirst(out, report.claims, kMaxRows, [&](const Claim& claim) {
    out << markdownRow({cutCode(claim.op), cutCode(claim.levels()), cutCode(claim.statement),
                        claim.brokenRule.empty() ? "" : cutCode(claim.brokenRule)});
  });
}

void writeWorkerFailures(std::ostream& out, const Report& report) {
  if (report.workerFailures.empty()) return;
  out << "### Worker failures outside any case\n\n";
  writeFirst(out, report.workerFailures, kMaxWorkerFailures, [&](const auto& workerFailure) {
    std::string block = plainLine(workerFailure.message) + "\n";
    if (!workerFailure.workerStderr.empty())
      block += "worker stderr:\n" + indentedText(workerFailure.workerStderr);
    out << "- **" << name(workerFailure.verdict) << "** " << cutCode(workerFailure.when) << "\n\n"
        << markdownBlock(cut(block, kMaxDetail)) << '\n';
  });
}

void writeNotRun(std::ostream& out, const Report& report) {
  if (report.notRun.empty()) return;
  out << "### Not run\n\n"
      << markdownRow({"What", "Why", "Cases"}) << markdownRow({"---", "---", "---:"});
  writeFirst(out, report.notRun, kMaxRows, [&](const NotRun& each) {
    out << markdownRow(
        {cutCode(each.what), cutCode(each.why), each.cases == 0 ? "" : grouped(each.cases)});
  });
}

void writeWaivers(std::ostream& out, const Report& report) {
  if (report.waivers.empty()) return;
  out << "### Waived\n\n" << markdownRow({"Reason", "Cases"}) << markdownRow({"---", "---:"});
  writeFirst(out, report.waivers, kMaxRows, [&](const Waiver& each) {
    out << markdownRow({cutCode(each.reason), grouped(each.cases)});
  });
}

std::string detailsOf(const JournalEntry& entry) {
  std::string block = plainLine(entry.message) + "\n";
  for (const Difference& each : entry.differences) block += plainLine(each.text()) + "\n";
  if (!entry.workerStderr.empty()) block += "worker stderr:\n" + indentedText(entry.workerStderr);
  return block;
}

void writeClusters(std::ostream& out, const Report& report) {
  if (report.clusters.empty()) return;
  out << "### " << faultsOf(report) << "\n\n";
  writeFirst(out, report.clusters, kMaxClusters, [&](const Cluster& cluster) {
    const JournalEntry& entry = report.cases[cluster.shortest];
    out << "- " << cutCode(headlineOf(cluster)) << "\n";
    if (const std::string rule = ruleTextOf(report, cluster); !rule.empty()) {
      out << "  " << cutCode(rule) << "\n";
    }
    if (!cluster.dimensions.empty()) out << "  " << cutCode(extentOf(cluster)) << "\n";
    out << "\n  The shortest case: " << cutCode(entry.caseString) << "\n\n"
        << markdownBlock(cut(detailsOf(entry), kMaxDetail)) << '\n'
        << markdownBlock(cut(plainLine(replayCommand(report, entry)), kMaxDetail)) << '\n';
  });
}

void writeFailures(std::ostream& out, const Report& report) {
  if (report.failures.empty()) return;
  out << "### Failures\n\n";
  writeFirst(out, report.failures, kMaxFailures, [&](size_t index) {
    const JournalEntry& entry = report.cases[index];
    out << "- **" << name(entry.verdict) << "** " << cutCode(entry.caseString) << "\n\n"
        << markdownBlock(cut(detailsOf(entry), kMaxDetail)) << '\n'
        << markdownBlock(cut(plainLine(replayCommand(report, entry)), kMaxDetail)) << '\n';
  });
}

}  // namespace

void writeMarkdown(std::ostream& out, const Report& report) {
  const Conclusion conclusion = conclude(report);
  out << "## dmlcts: " << cutCode(conclusion.headline) << "\n\n"
      << cutCode(conclusion.sentence) << "\n\n";
  if (!conclusion.detail.empty()) out << cutCode(conclusion.detail) << "\n\n";
  writeFirst(out, conclusion.remarks, kMaxRows,
             [&](const std::string& remark) { out << "- " << cutCode(remark) << "\n"; });
  writeClusters(out, report);
  writeIdentity(out, report);
  writeTotals(out, report);
  writeCompliance(out, report);
  writeNotRun(out, report);
  writeWaivers(out, report);
  writeWorkerFailures(out, report);
  writeFailures(out, report);
}

}  // namespace dmlcts

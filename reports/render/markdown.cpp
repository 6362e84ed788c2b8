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

void writeIdentity(std::ostream& out, const Report& report) {
  const JournalHeader& run = report.run;
  out << markdownRow({"Tested", ""}) << markdownRow({"---", "---"});
  const auto fact = [&](const char* what, const std::string& value) {
    if (!value.empty()) out << markdownRow({what, cutCode(value)});
  };
  fact("Target", run.target);
  fact("Adapter", run.adapter);
  fact("Driver", run.driver);
  fact("Runtime", run.runtime);
  fact("Implementation", run.implementation);
  fact("Shader model", run.shaderModel);
  fact("Kernel variant", run.kernelVariant);
  fact("Execution mode", run.mode);
  fact("Highest level", run.maxLevel);
  fact("Suite", run.suiteCommit.empty() ? run.suiteVersion
                                        : run.suiteVersion + " (" + run.suiteCommit + ")");
  fact("Started", run.startedAt);
  fact("Command", run.commandLine);
  out << '\n';
  if (run.files.empty()) return;
  out << "<details><summary>" << counted(run.files.size(), "file")
      << " of the implementation, runtime and driver</summary>\n\n"
      << markdownRow({"File", "SHA-256"}) << markdownRow({"---", "---"});
  size_t rows = 0;
  for (const auto& [file, sha256] : run.files) {
    if (++rows <= kMaxRows) out << markdownRow({cutCode(file), cutCode(sha256)});
  }
  out << "\n</details>\n\n";
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
  size_t rows = 0;
  for (const Claim& claim : report.claims) {
    if (++rows > kMaxRows) continue;
    out << markdownRow({cutCode(claim.op), cutCode(claim.levels()), cutCode(claim.statement),
                        claim.rule.empty() ? "" : cutCode(claim.rule)});
  }
  if (rows > kMaxRows) out << fmt::format("\n{} more rows in report.json.\n", rows - kMaxRows);
  out << '\n';
}

void writeWorkerFailures(std::ostream& out, const Report& report) {
  if (report.workerFailures.empty()) return;
  out << "### Worker failures outside any case\n\n";
  const size_t shown = std::min(kMaxWorkerFailures, report.workerFailures.size());
  for (size_t i = 0; i < shown; ++i) {
    const JournalWorkerFailure& workerFailure = report.workerFailures[i];
    std::string block = plainLine(workerFailure.message) + "\n";
    if (!workerFailure.workerStderr.empty())
      block += "worker stderr:\n" + indentedText(workerFailure.workerStderr);
    out << "- **" << name(workerFailure.verdict) << "** " << cutCode(workerFailure.when) << "\n\n"
        << markdownBlock(cut(block, kMaxDetail)) << '\n';
  }
  if (shown < report.workerFailures.size()) {
    out << fmt::format("{} more in report.json.\n\n", report.workerFailures.size() - shown);
  }
}

void writeNotRun(std::ostream& out, const Report& report) {
  if (report.notRun.empty()) return;
  out << "### Not run\n\n"
      << markdownRow({"What", "Why", "Cases"}) << markdownRow({"---", "---", "---:"});
  for (size_t i = 0; i < std::min(kMaxRows, report.notRun.size()); ++i) {
    const NotRun& each = report.notRun[i];
    out << markdownRow(
        {cutCode(each.what), cutCode(each.why), each.cases == 0 ? "" : grouped(each.cases)});
  }
  out << '\n';
}

void writeWaivers(std::ostream& out, const Report& report) {
  if (report.waivers.empty()) return;
  out << "### Waived\n\n" << markdownRow({"Reason", "Cases"}) << markdownRow({"---", "---:"});
  for (size_t i = 0; i < std::min(kMaxRows, report.waivers.size()); ++i) {
    out << markdownRow({cutCode(report.waivers[i].reason), grouped(report.waivers[i].cases)});
  }
  out << '\n';
}

std::string detailsOf(const JournalEntry& entry) {
  std::string block = plainLine(entry.message) + "\n";
  for (const std::string& line : entry.differences) block += plainLine(line) + "\n";
  if (!entry.workerStderr.empty()) block += "worker stderr:\n" + indentedText(entry.workerStderr);
  return block;
}

void writeClusters(std::ostream& out, const Report& report) {
  if (report.clusters.empty()) return;
  out << "### " << faultsOf(report) << "\n\n";
  const size_t shown = std::min(kMaxClusters, report.clusters.size());
  for (size_t i = 0; i < shown; ++i) {
    const Cluster& cluster = report.clusters[i];
    const JournalEntry& entry = report.cases[cluster.shortest];
    out << "- " << cutCode(headlineOf(cluster)) << "\n";
    if (const std::string rule = ruleTextOf(report, cluster); !rule.empty()) {
      out << "  " << cutCode(rule) << "\n";
    }
    if (!cluster.dimensions.empty()) out << "  " << cutCode(extentOf(cluster)) << "\n";
    out << "\n  The shortest case: " << cutCode(entry.caseString) << "\n\n"
        << markdownBlock(cut(detailsOf(entry), kMaxDetail)) << '\n'
        << markdownBlock(cut(plainLine(replayCommand(report, entry)), kMaxDetail)) << '\n';
  }
  if (shown < report.clusters.size()) {
    out << fmt::format("{} more in report.json.\n\n", report.clusters.size() - shown);
  }
}

void writeFailures(std::ostream& out, const Report& report) {
  if (report.failures.empty()) return;
  out << "### Failures\n\n";
  const size_t shown = std::min(kMaxFailures, report.failures.size());
  for (size_t i = 0; i < shown; ++i) {
    const JournalEntry& entry = report.cases[report.failures[i]];
    out << "- **" << name(entry.verdict) << "** " << cutCode(entry.caseString) << "\n\n"
        << markdownBlock(cut(detailsOf(entry), kMaxDetail)) << '\n'
        << markdownBlock(cut(plainLine(replayCommand(report, entry)), kMaxDetail)) << '\n';
  }
  if (shown < report.failures.size()) {
    out << fmt::format("{} more in report.json.\n",
                       counted(report.failures.size() - shown, "failure"));
  }
}

}  // namespace

void writeMarkdown(std::ostream& out, const Report& report) {
  const Conclusion conclusion = conclude(report);
  out << "## dmlcts: " << conclusion.headline << "\n\n" << cutCode(conclusion.sentence) << "\n\n";
  if (!conclusion.detail.empty()) out << conclusion.detail << "\n\n";
  size_t remarks = 0;
  for (const std::string& remark : conclusion.remarks) {
    if (++remarks <= kMaxRows) out << "- " << cutCode(remark) << "\n";
  }
  if (remarks > 0) out << '\n';
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

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "reports/compare/matrix_parts.h"
#include "reports/compare/version.h"
#include "reports/summary/wording.h"

namespace dmlcts {

uint64_t notAsked(const Totals& totals) {
  return totals[Verdict::NotAsked] + totals[Verdict::NotSupported] + totals[Verdict::Skipped] +
         totals[Verdict::InternalError];
}

std::string versionOf(const JournalHeader& run) {
  return run.implementation.empty() ? run.suiteVersion : run.implementation;
}

std::string driverOf(const JournalHeader& run) {
  std::string text;
  const auto add = [&](const char* what, const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + (what + part);
  };
  add("", run.adapter);
  add("", run.driver);
  add("", run.runtime);
  add("shader model ", run.shaderModel);
  add("kernel variant ", run.kernelVariant);
  add("mode ", run.mode);
  return text.empty() ? "no driver" : text;
}

namespace {

// Finds the versions that have the finding, separately for each driver.
void dateFinding(std::span<const Configuration> configurations, MatrixFinding& finding) {
  std::map<std::string, SeenByVersion> drivers;
  for (size_t i = 0; i < configurations.size(); ++i) {
    if (!configurations[i].report || configurations[i].report->run.target != finding.target) {
      continue;
    }
    const JournalHeader& run = configurations[i].report->run;
    SeenInVersion& seen = drivers[driverOf(run)][versionOf(run)];
    seen.asked = seen.asked || finding.cells[i].of > 0;
    seen.found = seen.found || finding.cells[i].count > 0;
  }
  for (const auto& [driver, versions] : drivers) {
    FindingOnDriver on{spanOf(versions), driver};
    if (!on.has.empty() || !on.lacks.empty()) finding.drivers.push_back(std::move(on));
  }
}

// Collects one target's failures from all configurations: a case fails if it fails in any of them.
// Configurations without a failure are skipped: they may have run a larger tier, whose passing
// cases would be false counterexamples.
Report failuresOf(std::span<const Configuration> configurations, const std::string& target) {
  Report together;
  std::unordered_map<std::string_view, size_t> indexOf;
  for (const Configuration& each : configurations) {
    if (!each.report || each.report->run.target != target || each.report->failures.empty())
      continue;
    for (const JournalEntry& entry : each.report->cases) {
      if (entry.verdict != Verdict::Pass && !isFailure(entry.verdict)) continue;
      const auto [at, fresh] = indexOf.try_emplace(entry.caseString, together.cases.size());
      if (fresh) {
        together.cases.push_back(entry);
      } else if (isFailure(entry.verdict) && !isFailure(together.cases[at->second].verdict)) {
        // The map's key points into a report, so it stays valid.
        together.cases[at->second] = entry;
      }
    }
  }
  for (size_t i = 0; i < together.cases.size(); ++i) {
    if (isFailure(together.cases[i].verdict)) together.failures.push_back(i);
  }
  together.clusters = findClusters(together);
  return together;
}

void addCauses(std::span<const Configuration> configurations, const std::string& target,
               std::vector<MatrixFinding>& findings) {
  const Report together = failuresOf(configurations, target);
  for (const Cluster& cluster : together.clusters) {
    MatrixFinding& finding = findings.emplace_back();
    finding.target = target;
    finding.query = cluster.query;
    finding.headline = headlineOf(cluster);
    const JournalEntry& shortest = together.cases[cluster.shortest];
    finding.shortest = shortest.caseString;
    finding.message = shortest.message;
    finding.cells.resize(configurations.size());
    std::unordered_set<std::string_view> cases;
    for (size_t index : cluster.cases) cases.insert(together.cases[index].caseString);
    for (size_t i = 0; i < configurations.size(); ++i) {
      if (!configurations[i].report || configurations[i].report->run.target != target) continue;
      MatrixCell& cell = finding.cells[i];
      for (const JournalEntry& entry : configurations[i].report->cases) {
        const bool failed = isFailure(entry.verdict);
        if (!failed && entry.verdict != Verdict::Pass && entry.verdict != Verdict::Arguable) {
          continue;
        }
        if (!cases.contains(entry.caseString)) continue;
        cell.count += failed;
        ++cell.of;
      }
    }
  }
}

// Adds rules that are not kept although no case fails for them.
void addUnkeptRules(std::span<const Configuration> configurations, const std::string& target,
                    std::vector<MatrixFinding>& findings) {
  std::map<std::string, MatrixFinding> byRule;
  for (size_t i = 0; i < configurations.size(); ++i) {
    if (!configurations[i].report || configurations[i].report->run.target != target) continue;
    for (const ComplianceRow& row : configurations[i].report->compliance) {
      for (const auto* list : {&row.dependsOn, &row.observed}) {
        for (const UnkeptRule& each : *list) {
          MatrixFinding& finding = byRule[each.rule];
          finding.cells.resize(configurations.size());
          finding.cells[i].count += each.cases;
          finding.headline = list == &row.dependsOn ? "an inferred rule is broken, which a vendor "
                                                      "could argue about"
                                                    : "what no page promises is not kept";
        }
      }
    }
  }
  for (auto& [rule, finding] : byRule) {
    finding.target = target;
    finding.rule = rule;
    for (size_t i = 0; i < configurations.size(); ++i) {
      if (!configurations[i].report || configurations[i].report->run.target != target) continue;
      const Report& report = *configurations[i].report;
      const auto row = std::ranges::find(report.rules, rule, &RuleRow::id);
      if (row == report.rules.end()) continue;
      const Totals& totals = row->checked == "in every case" ? report.totals : row->totals;
      finding.cells[i].of = std::max(finding.cells[i].count, totals.all() - notAsked(totals));
    }
    findings.push_back(std::move(finding));
  }
}

}  // namespace

void addFindings(Matrix& matrix) {
  std::vector<std::string> targets;  // in order of appearance
  for (const Configuration& each : matrix.configurations) {
    if (!each.report) continue;
    const std::string& target = each.report->run.target;
    if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
  }
  for (const std::string& target : targets) {
    addCauses(matrix.configurations, target, matrix.findings);
    addUnkeptRules(matrix.configurations, target, matrix.findings);
  }
  for (MatrixFinding& finding : matrix.findings) dateFinding(matrix.configurations, finding);
}

}  // namespace dmlcts

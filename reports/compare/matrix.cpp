#include "reports/compare/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "reports/compare/version.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

using Json = ReportDocument;

uint64_t notAsked(const Totals& totals) {
  return totals[Verdict::NotAsked] + totals[Verdict::NotSupported] + totals[Verdict::Skipped] +
         totals[Verdict::InternalError];
}

bool isClaim(Compliance status) {
  return status == Compliance::Holds || status == Compliance::Absent;
}

// Cells of operators -------------------------------------------------------------------------

// What nobody may build on is no claim.
void doubtClaim(MatrixCell& cell, const std::string& doubt) {
  if (doubt.empty() || !isClaim(cell.status)) return;
  cell.status = Compliance::Unproven;
  cell.statement = "unproven: " + doubt;
}

using Key = std::pair<std::string, std::string>;  // operator, level
using Seconds = std::map<Key, double>;

Seconds secondsOf(const Report& report) {
  Seconds seconds;
  for (const JournalEntry& entry : report.cases) seconds[{entry.op, entry.level}] += entry.seconds;
  return seconds;
}

MatrixCell levelCell(const ComplianceRow& row, const Seconds& seconds, const std::string& doubt) {
  MatrixCell cell{.status = row.status,
                  .count = row.totals[Verdict::Pass],
                  .of = row.totals.all(),
                  .statement = row.statement};
  if (const auto found = seconds.find({row.op, row.level}); found != seconds.end()) {
    cell.seconds = found->second;
  }
  doubtClaim(cell, doubt);
  return cell;
}

// Over all levels: what needs attention most, of those that have cases.
MatrixCell operatorCell(const std::string& op, const Report& report,
                        const std::vector<MatrixCell>& levels, const std::string& doubt) {
  MatrixCell cell;
  bool anyNotRun = false;
  const auto rank = [](Compliance status) { return std::ranges::find(kCompliances, status); };
  for (const MatrixCell& level : levels) {
    cell.count += level.count;
    cell.of += level.of;
    cell.seconds += level.seconds;
    anyNotRun = anyNotRun || level.status == Compliance::NotRun;
    if (rank(level.status) < rank(cell.status)) cell.status = level.status;
  }
  for (const Claim& claim : report.claims) {
    if (claim.op != op || claim.status == Compliance::NotRun) continue;
    cell.statement +=
        (cell.statement.empty() ? "" : "; ") + claim.levels() + ": " + claim.statement;
  }
  if (cell.status == Compliance::Holds && anyNotRun) {
    cell.status = Compliance::Unproven;
    cell.statement = "not run at every level; " + cell.statement;
  }
  doubtClaim(cell, doubt);
  return cell;
}

// Cells of rules -----------------------------------------------------------------------------

MatrixCell ruleCell(const RuleRow& row, const Report& report, const std::string& doubt) {
  const bool always = row.checked == "in every case";
  const Totals& totals = always ? report.totals : row.totals;
  MatrixCell cell{.count = totals[Verdict::Pass] + totals[Verdict::Arguable],
                  .of = totals.all() - notAsked(totals)};
  const auto set = [&](Compliance status, const std::string& statement) {
    cell.status = status;
    cell.statement = statement;
  };
  const uint64_t failures = always ? 0 : totals.failures();
  const uint64_t unkept = row.violated + row.observed;
  if (row.violated > 0 && (failures > 0 || totals[Verdict::Arguable] == 0)) {
    cell.count = row.violated;
    // A case can break a rule that it is not about.
    cell.of = std::max(cell.of, row.violated);
    set(Compliance::Broken, "broken");
  } else if (failures > 0) {
    cell.count = failures;
    set(Compliance::Broken, "failed");
  } else if (unkept > 0) {
    cell.count = unkept;
    cell.of = std::max(cell.of, unkept);
    set(Compliance::Partial, row.violated > 0 ? "arguable" : "observed");
  } else if (row.checked == "not at all") {
    set(Compliance::NotAsked, "undefined");
  } else if (totals.all() == 0) {
    set(Compliance::NotRun, "no case");
  } else if (cell.of == 0) {
    set(totals[Verdict::NotAsked] == totals.all() ? Compliance::NotAsked : Compliance::Partial,
        listVerdicts(totals));
  } else if (cell.count < cell.of && !always) {
    set(Compliance::Partial, "not proved");
  } else if (!doubt.empty()) {
    set(Compliance::Unproven, "pass, unproven");
  } else {
    set(Compliance::Holds, always ? "kept" : "pass");
  }
  return cell;
}

// Rows ---------------------------------------------------------------------------------------

bool differ(const std::vector<MatrixCell>& cells) {
  const MatrixCell* first = nullptr;
  for (const MatrixCell& cell : cells) {
    if (cell.status == Compliance::NotRun) continue;
    if (!first) first = &cell;
    if (cell.status != first->status) return true;
  }
  return false;
}

// Rows in the order in which they first occur, a cell of each for every configuration.
class Rows {
 public:
  Rows(std::vector<MatrixLine>& lines, size_t columns) : lines_(lines), columns_(columns) {}

  MatrixCell& at(const std::string& op, const std::string& level, const std::string& rule,
                 size_t column) {
    const auto [found, fresh] =
        indexOf_.try_emplace(op + '\n' + level + '\n' + rule, lines_.size());
    if (fresh) {
      lines_.push_back({op, level, rule, {}, false});
      lines_.back().cells.resize(columns_);
    }
    return lines_[found->second].cells[column];
  }

  void finish() {
    for (MatrixLine& line : lines_) line.differs = differ(line.cells);
  }

 private:
  std::vector<MatrixLine>& lines_;
  size_t columns_;
  std::map<std::string, size_t> indexOf_;
};

void fillRows(Matrix& matrix) {
  const size_t columns = matrix.configurations.size();
  Rows operators(matrix.operators, columns);
  Rows levels(matrix.levels, columns);
  Rows rules(matrix.rules, columns);
  for (size_t column = 0; column < columns; ++column) {
    if (!matrix.configurations[column].report) continue;
    const Report& report = *matrix.configurations[column].report;
    const std::string doubt = doubtOf(report);
    const Seconds seconds = secondsOf(report);
    std::map<std::string, std::vector<MatrixCell>> ofOperator;
    for (const ComplianceRow& row : report.compliance) {
      MatrixCell cell = levelCell(row, seconds, doubt);
      ofOperator[row.op].push_back(cell);
      levels.at(row.op, row.level, "", column) = std::move(cell);
    }
    for (const auto& [op, cells] : ofOperator) {
      operators.at(op, "", "", column) = operatorCell(op, report, cells, doubt);
    }
    for (const RuleRow& row : report.rules) {
      rules.at("", "", row.id, column) = ruleCell(row, report, doubt);
    }
  }
  operators.finish();
  levels.finish();
  rules.finish();
}

// Findings -----------------------------------------------------------------------------------

std::string versionOf(const JournalHeader& run) {
  return run.implementation.empty() ? run.suiteVersion : run.implementation;
}

std::string driverOf(const JournalHeader& run) {
  std::string text;
  for (const std::string* part : {&run.adapter, &run.driver, &run.runtime}) {
    if (!part->empty()) text += (text.empty() ? "" : ", ") + *part;
  }
  if (!run.via.empty()) text += (text.empty() ? "via " : ", via ") + run.via;
  return text.empty() ? "no driver" : text;
}

// By the numbers in them, then as text.
bool olderVersion(const std::string& a, const std::string& b) {
  return std::pair(versionNumbers(a), a) < std::pair(versionNumbers(b), b);
}

// When the finding came and went on each driver: never concluded from one driver to another.
void dateFinding(std::span<const Configuration> configurations, MatrixFinding& finding) {
  struct Seen {
    bool asked = false;
    bool found = false;
  };
  using Versions = std::map<std::string, Seen, decltype(&olderVersion)>;
  std::map<std::string, Versions> drivers;
  for (size_t i = 0; i < configurations.size(); ++i) {
    if (!configurations[i].report || configurations[i].report->run.target != finding.target) {
      continue;
    }
    const JournalHeader& run = configurations[i].report->run;
    const auto at = drivers.try_emplace(driverOf(run), &olderVersion).first;
    Seen& seen = at->second[versionOf(run)];
    seen.asked = seen.asked || finding.cells[i].of > 0;
    seen.found = seen.found || finding.cells[i].count > 0;
  }
  for (const auto& [driver, versions] : drivers) {
    FindingOnDriver on;
    on.driver = driver;
    for (const auto& [version, seen] : versions) {
      if (seen.found) {
        if (on.has.empty() && !on.lacks.empty()) {
          on.since = version;
          on.notBefore = on.lacks.back();
        }
        on.has.push_back(version);
        on.until.clear();
        on.notAfterwards.clear();
      } else if (seen.asked) {
        if (on.until.empty() && !on.has.empty()) {
          on.until = on.has.back();
          on.notAfterwards = version;
        }
        on.lacks.push_back(version);
      }
    }
    if (!on.has.empty() || !on.lacks.empty()) finding.drivers.push_back(std::move(on));
  }
}

// Failures of one target in all configurations together, by cause: a case fails here that fails in
// any of them.
Report failuresOf(std::span<const Configuration> configurations, const std::string& target) {
  Report together;
  std::unordered_map<std::string_view, size_t> indexOf;
  for (const Configuration& each : configurations) {
    if (!each.report || each.report->run.target != target) continue;
    for (const JournalEntry& entry : each.report->cases) {
      if (entry.verdict != Verdict::Pass && !isFailure(entry.verdict)) continue;
      const auto [at, fresh] = indexOf.try_emplace(entry.caseString, together.cases.size());
      if (fresh) {
        together.cases.push_back(entry);
      } else if (isFailure(entry.verdict) && !isFailure(together.cases[at->second].verdict)) {
        // The key points into a report, not into this copy.
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

// Rules that are not kept although nothing fails for it.
void addUnkeptRules(std::span<const Configuration> configurations, const std::string& target,
                    std::vector<MatrixFinding>& findings) {
  std::map<std::string, MatrixFinding> byRule;
  for (size_t i = 0; i < configurations.size(); ++i) {
    if (!configurations[i].report || configurations[i].report->run.target != target) continue;
    for (const ComplianceRow& row : configurations[i].report->compliance) {
      for (const auto* list : {&row.dependsOn, &row.observed}) {
        for (const Unkept& each : *list) {
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

// Renderings ---------------------------------------------------------------------------------

Json toDocument(const MatrixCell& cell) {
  return {{"status", name(cell.status)},
          {"count", cell.count},
          {"of", cell.of},
          {"statement", cell.statement},
          {"seconds", cell.seconds}};
}

Json toDocument(const std::vector<MatrixCell>& cells) {
  Json all = Json::array();
  for (const MatrixCell& cell : cells) all.push_back(toDocument(cell));
  return all;
}

Json toDocument(const std::vector<MatrixLine>& lines) {
  Json all = Json::array();
  for (const MatrixLine& line : lines) {
    Json row = Json::object();
    if (!line.op.empty()) row["operator"] = line.op;
    if (!line.level.empty()) row["level"] = line.level;
    if (!line.rule.empty()) row["rule"] = line.rule;
    row["differs"] = line.differs;
    row["cells"] = toDocument(line.cells);
    all.push_back(std::move(row));
  }
  return all;
}

Json totalsOf(const Totals& totals) {
  Json all = Json::object();
  for (Verdict verdict : kVerdicts) {
    if (totals[verdict] > 0) all[std::string(name(verdict))] = totals[verdict];
  }
  return all;
}

Json toDocument(const Configuration& configuration) {
  Json json{{"name", configuration.name}, {"problem", configuration.problem}};
  if (!configuration.report) return json;
  const Report& report = *configuration.report;
  json["target"] = report.run.target;
  json["version"] = versionOf(report.run);
  json["driver"] = driverOf(report.run);
  json["suite"] = report.run.suiteCommit.empty() ? report.run.suiteVersion : report.run.suiteCommit;
  json["law"] = report.run.law + (report.run.strict ? ", strict" : "");
  json["tier"] = report.run.tier;
  json["startedAt"] = report.run.startedAt;
  json["headline"] = conclude(report).headline;
  json["doubt"] = doubtOf(report);
  json["exitStatus"] = exitStatus(report);
  json["totals"] = totalsOf(report.totals);
  json["mishaps"] = report.mishaps.size();
  json["caseSeconds"] = report.seconds;
  return json;
}

}  // namespace

std::string doubtOf(const Report& report) {
  const JournalHeader& run = report.run;
  if (!run.sawTarget()) return "nobody said who was tested";
  if (run.law != kLawEdition) {
    return fmt::format("judged by the law of {}, not of {}", run.law, kLawEdition);
  }
  if (report.oldJournals) return std::string(kOldJournal);
  if (const uint64_t errors = report.totals[Verdict::InternalError]; errors > 0) {
    return "the harness failed in " + counted(errors, "case");
  }
  if (!report.mishaps.empty()) return counted(report.mishaps.size(), "mishap") + " of workers";
  if (!report.complete()) {
    uint64_t planned = 0;
    for (const ScheduledShards& schedule : report.schedules) {
      for (const Shard& shard : schedule.shards) planned += shard.planned;
    }
    const uint64_t seen = report.totals.all();
    if (seen >= planned) return "the journals are incomplete, or disagree";
    return fmt::format("incomplete: {} of {}", grouped(seen), counted(planned, "case"));
  }
  if (!report.filters.empty()) return "queries chose its cases";
  return "";
}

Matrix makeMatrix(std::span<const Configuration> configurations) {
  Matrix matrix;
  matrix.configurations = configurations;
  fillRows(matrix);
  const Configuration* before = nullptr;
  for (const Configuration& each : configurations) {
    if (!each.report) continue;
    if (before) {
      matrix.neighbours.push_back({static_cast<size_t>(before - configurations.data()),
                                   static_cast<size_t>(&each - configurations.data()),
                                   compareReports(*before->report, *each.report)});
    }
    before = &each;
  }
  addFindings(matrix);
  return matrix;
}

std::string headlineOf(const Matrix& matrix) {
  uint64_t good = 0;
  uint64_t missing = 0;
  uint64_t doubtful = 0;
  for (const Configuration& each : matrix.configurations) {
    if (!each.report) {
      ++missing;
    } else if (exitStatus(*each.report) == 0) {
      ++(doubtOf(*each.report).empty() ? good : doubtful);
    }
  }
  const uint64_t all = matrix.configurations.size();
  std::string text =
      fmt::format("{} of {} as expected", grouped(good), counted(all, "configuration"));
  if (const uint64_t failed = all - good - missing - doubtful; failed > 0) {
    text += fmt::format("; {} with failures", grouped(failed));
  }
  if (doubtful > 0) text += fmt::format("; {} unproven", grouped(doubtful));
  if (missing > 0) text += fmt::format("; {} without a report", grouped(missing));
  return text;
}

std::string matrixText(const Matrix& matrix) {
  std::string out;
  for (const Configuration& each : matrix.configurations) {
    std::string what = each.problem;
    if (each.report) {
      const std::string doubt = doubtOf(*each.report);
      what = listVerdicts(each.report->totals) + (doubt.empty() ? "" : "; " + doubt);
    }
    out += plainLine(each.name + ": " + what.substr(0, what.find('\n'))) + '\n';
  }
  return out + headlineOf(matrix) + '\n';
}

ReportDocument toDocument(const Matrix& matrix) {
  constexpr size_t kMaxChanges = 5;  // of each kind; the page of the two has the others
  Json configurations = Json::array();
  for (const Configuration& each : matrix.configurations) {
    configurations.push_back(toDocument(each));
  }
  Json neighbours = Json::array();
  for (const Neighbours& each : matrix.neighbours) {
    Json diff = toDocument(each.diff, kMaxChanges);
    Json facts = Json::array();  // in which the two runs differ
    for (size_t i = 0; i < diff["before"].size(); ++i) {
      const Json& before = diff["before"][i];
      const Json& after = diff["after"][i];
      static const std::set<std::string> kOfTheRun{"Started", "Host", "Command", "Files"};
      if (before[1] == after[1] || kOfTheRun.contains(before[0].get<std::string>())) continue;
      facts.push_back({{"what", before[0]}, {"before", before[1]}, {"after", after[1]}});
    }
    Json timing = Json::array();
    for (const Json& row : diff["timing"]) {
      if (!row["change"].get_ref<const std::string&>().empty()) timing.push_back(row);
    }
    neighbours.push_back({{"before", matrix.configurations[each.before].name},
                          {"after", matrix.configurations[each.after].name},
                          {"headline", diff["headline"]},
                          {"regression", diff["regression"]},
                          {"warnings", diff["warnings"]},
                          {"facts", std::move(facts)},
                          {"unchanged", diff["unchanged"]},
                          {"counts", diff["counts"]},
                          {"changes", diff["changes"]},
                          {"timing", std::move(timing)}});
  }
  Json findings = Json::array();
  for (const MatrixFinding& each : matrix.findings) {
    Json drivers = Json::array();
    for (const FindingOnDriver& on : each.drivers) {
      drivers.push_back({{"driver", on.driver},
                         {"has", on.has},
                         {"lacks", on.lacks},
                         {"since", on.since},
                         {"notBefore", on.notBefore},
                         {"until", on.until},
                         {"notAfterwards", on.notAfterwards}});
    }
    Json cells = Json::array();
    for (const MatrixCell& cell : each.cells) {
      cells.push_back({{"found", cell.count}, {"of", cell.of}});
    }
    findings.push_back({{"target", each.target},
                        {"query", each.query},
                        {"rule", each.rule},
                        {"headline", each.headline},
                        {"shortest", each.shortest},
                        {"message", each.message},
                        {"cells", std::move(cells)},
                        {"drivers", std::move(drivers)}});
  }
  return {{"matrixReport", 1},
          {"headline", headlineOf(matrix)},
          {"configurations", std::move(configurations)},
          {"neighbours", std::move(neighbours)},
          {"byOperator", toDocument(matrix.operators)},
          {"byLevel", toDocument(matrix.levels)},
          {"byRule", toDocument(matrix.rules)},
          {"findings", std::move(findings)}};
}

}  // namespace dmlcts

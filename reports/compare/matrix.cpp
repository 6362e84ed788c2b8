#include "reports/compare/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

bool isClaim(Compliance status) {
  return status == Compliance::Conforms || status == Compliance::Absent;
}

// Cells of operators -------------------------------------------------------------------------

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
                  .of = row.totals.all() - notAsked(row.totals),
                  .statement = row.statement};
  if (const auto found = seconds.find({row.op, row.level}); found != seconds.end()) {
    cell.seconds = found->second;
  }
  doubtClaim(cell, doubt);
  return cell;
}

// Sums up all levels; the status is the one that most needs attention.
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
  if (cell.status == Compliance::Conforms && anyNotRun) {
    cell.status = Compliance::Unproven;
    cell.statement = "not run at every level; " + cell.statement;
  }
  doubtClaim(cell, doubt);
  return cell;
}

// Cells of rules -----------------------------------------------------------------------------

MatrixCell ruleCell(const RuleRow& row, const Report& report, const std::string& doubt) {
  const bool always = row.is(Checked::Always);
  const Totals& totals = row.totalsIn(report);
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
    // A case can break a rule that it does not exercise.
    cell.of = std::max(cell.of, row.violated);
    set(Compliance::Broken, "broken");
  } else if (failures > 0) {
    cell.count = failures;
    set(Compliance::Broken, "failed");
  } else if (unkept > 0) {
    cell.count = unkept;
    cell.of = std::max(cell.of, unkept);
    set(Compliance::Partial, row.violated > 0 ? "arguable" : "observed");
  } else if (row.is(Checked::NotAtAll)) {
    set(Compliance::NotAsked, "undefined");
  } else if (totals.all() == 0) {
    set(Compliance::NotRun, "no case");
  } else if (cell.of == 0) {
    set(totals[Verdict::NotAsked] == totals.all() ? Compliance::NotAsked : Compliance::Partial,
        listVerdicts(totals));
  } else if (cell.count < cell.of) {
    set(Compliance::Partial, "not proved");
  } else if (!doubt.empty()) {
    set(Compliance::Unproven, "pass, unproven");
  } else {
    set(Compliance::Conforms, always ? "kept" : "pass");
  }
  return cell;
}

// Rows ---------------------------------------------------------------------------------------

bool differ(const std::vector<MatrixCell>& cells) {
  std::set<Compliance> statuses;
  for (const MatrixCell& cell : cells) statuses.insert(cell.status);
  statuses.erase(Compliance::NotRun);
  return statuses.size() > 1;
}

// Rows in order of first occurrence, each with a cell for every configuration.
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
    const std::string doubt = whyUnproven(report);
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

}  // namespace

std::string whyUnproven(const Report& report) {
  const JournalHeader& run = report.run;
  if (!run.sawTarget()) return "nobody said who was tested";
  if (run.specification != kSpecificationEdition) {
    return fmt::format("judged by specification edition {}, not {}", run.specification,
                       kSpecificationEdition);
  }
  if (const uint64_t errors = report.totals[Verdict::InternalError]; errors > 0) {
    return "the harness failed in " + counted(errors, "case");
  }
  if (!report.workerFailures.empty())
    return counted(report.workerFailures.size(), "worker failure");
  if (!report.conflicts.empty()) return disagreementOf(report);
  if (!report.cutJournals.empty()) {
    return fmt::format("{} is cut in its last line", plainLine(report.cutJournals.front()));
  }
  if (!report.duplicates.empty()) {
    return fmt::format("{} with two verdicts, the first: {}",
                       counted(report.duplicates.size(), "case"),
                       report.duplicates.front().caseString);
  }
  if (!report.complete()) {
    const std::string shortfall = shortfallOf(report);
    const auto shards = std::ranges::find_if(report.notRun, &NotRun::isOfShards);
    return "incomplete: " + (shortfall.empty() ? shards->what + " without a journal" : shortfall);
  }
  if (report.filters.empty()) return "";
  const std::string chosen = chosenBy(report);
  return "its cases were chosen by " + (chosen.empty() ? "--cases" : chosen);
}

Matrix makeMatrix(std::span<const Configuration> configurations) {
  Matrix matrix;
  matrix.configurations = configurations;
  fillRows(matrix);
  for (size_t i = 0; i < configurations.size(); ++i) {
    if (!configurations[i].report) continue;
    const Report& report = *configurations[i].report;
    const auto earlier = [&](const auto& isOne) {
      size_t before = i;
      while (before-- > 0) {
        if (configurations[before].report && isOne(*configurations[before].report)) break;
      }
      return before < i ? std::optional(before) : std::nullopt;
    };
    if (const auto before = earlier([](const Report&) { return true; });
        before && !report.cases.empty()) {
      matrix.neighbours.push_back(
          {*before, i, compareReports(*configurations[*before].report, report)});
    }
    const auto last = earlier([&](const Report& each) {
      return each.run.target == report.run.target && each.run.tier == report.run.tier &&
             each.filters.empty() == report.filters.empty();
    });
    const std::string other = last ? otherSuite(configurations[*last].report->run, report.run) : "";
    if (other.empty()) continue;
    matrix.warnings.push_back(
        fmt::format("{} and {}: {}", configurations[*last].name, configurations[i].name, other));
  }
  matrix.findings = deviationsOf(configurations);
  return matrix;
}

std::vector<Configuration> readSeries(size_t journals, const ReadJournal& read) {
  std::vector<Configuration> runs;
  for (size_t i = 0; i < journals; ++i) {
    std::vector<Journal> one;
    one.push_back(read(i));
    Report report = summarize(std::move(one));
    report.cases.clear();
    report.cases.shrink_to_fit();
    report.failures.clear();
    report.clusters.clear();
    const std::string& start = report.run.startedAt;
    std::string name = start.empty() ? fmt::format("run {}", i + 1) : start;
    runs.push_back({.name = std::move(name), .report = std::move(report)});
  }
  // ISO 8601 in UTC sorts as text.
  std::ranges::stable_sort(runs, {}, &Configuration::name);
  return runs;
}

std::string headlineOf(const Matrix& matrix) {
  uint64_t good = 0;
  uint64_t missing = 0;
  uint64_t doubtful = 0;
  for (const Configuration& each : matrix.configurations) {
    if (!each.report) {
      ++missing;
    } else if (exitStatus(*each.report) == 0) {
      ++good;
      doubtful += whyUnproven(*each.report).empty() ? 0 : 1;
    }
  }
  const uint64_t all = matrix.configurations.size();
  std::string text =
      fmt::format("{} of {} as expected", grouped(good), counted(all, "configuration"));
  if (doubtful > 0) text += fmt::format(", {} of them unproven", grouped(doubtful));
  if (const uint64_t failed = all - good - missing; failed > 0) {
    text += fmt::format("; {} with failures", grouped(failed));
  }
  if (missing > 0) text += fmt::format("; {} without a report", grouped(missing));
  return text;
}

}  // namespace dmlcts

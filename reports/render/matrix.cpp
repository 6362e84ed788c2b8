#include <fmt/format.h>

#include <algorithm>

#include "reports/render/writers.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

std::string link(const std::string& text, const std::string& address) {
  return fmt::format("[{}]({})", text, address);
}

// The first column of a table, and one for every configuration.
void writeHead(std::ostream& out, const Matrix& matrix, const std::string& first) {
  std::vector<std::string> head{first};
  std::vector<std::string> line{"---"};
  for (const Configuration& each : matrix.configurations) {
    head.push_back(each.report ? link(markdownCode(each.name), each.name + "/index.html")
                               : markdownCode(each.name));
    line.emplace_back("---:");
  }
  out << markdownRow(head) << markdownRow(line);
}

std::string_view word(Compliance status) {
  switch (status) {
    case Compliance::Holds:
      return "holds";
    case Compliance::Broken:
      return "**broken**";
    case Compliance::Absent:
      return "absent";
    case Compliance::Partial:
      return "partial";
    case Compliance::Unproven:
      return "unproven";
    case Compliance::Filtered:
      return "filtered";
    case Compliance::NotAsked:
      return "not asked";
    case Compliance::NotSupported:
      return "not supported";
    case Compliance::NotRun:
      break;
  }
  return "";
}

std::string countsOf(const MatrixCell& cell) {
  return fmt::format("{} of {}", grouped(cell.count), grouped(cell.of));
}

void writeConfigurations(std::ostream& out, const Matrix& matrix) {
  out << markdownRow({"configuration", "target", "driver", "tier", "verdicts", "case time"})
      << markdownRow({"---", "---", "---", "---", "---", "---:"});
  for (const Configuration& each : matrix.configurations) {
    if (!each.report) {
      out << markdownRow({markdownCode(each.name), "", "", "",
                          markdownCode(each.problem.substr(0, each.problem.find('\n'))), ""});
      continue;
    }
    const Report& report = *each.report;
    const JournalHeader& run = report.run;
    const std::string doubt = doubtOf(report);
    out << markdownRow(
        {link(markdownCode(each.name), each.name + "/index.html"),
         markdownCode(run.target + (run.implementation.empty() ? "" : " " + run.implementation)),
         markdownCode(run.adapter + (run.runtime.empty() ? "" : ", " + run.runtime) +
                      (run.shaderModel.empty() ? "" : ", shader model " + run.shaderModel) +
                      (run.kernelVariant.empty() ? "" : ", kernel variant " + run.kernelVariant)),
         markdownCode(run.tier + (run.via.empty() ? "" : ", via " + run.via)),
         listVerdicts(report.totals) + (doubt.empty() ? "" : "; " + markdownCode(doubt)),
         fmt::format("{:.0f} s", report.seconds)});
  }
}

void writeNeighbours(std::ostream& out, const Matrix& matrix) {
  if (matrix.neighbours.empty()) return;
  out << "\n## From one to the next\n\n"
      << markdownRow({"from", "to", "what changes", "broken", "no longer proved", "fixed",
                      "still failing", "in one only"})
      << markdownRow({"---", "---", "---", "---:", "---:", "---:", "---:", "---:"});
  for (const Neighbours& each : matrix.neighbours) {
    const std::string& before = matrix.configurations[each.before].name;
    const std::string& after = matrix.configurations[each.after].name;
    const ReportDocument headline = toDocument(each.diff, 0)["headline"];
    const auto count = [&](RunChange change) { return grouped(each.diff.count(change)); };
    out << markdownRow(
        {markdownCode(before), markdownCode(after),
         link(headline.get<std::string>(), fmt::format("{}/from-{}.html", after, before)) +
             (each.diff.otherLaw() ? " (Judged by different laws.)" : ""),
         count(RunChange::Broken), count(RunChange::Weakened), count(RunChange::Fixed),
         count(RunChange::StillFailing),
         grouped(each.diff.count(RunChange::NewlyCovered) +
                 each.diff.count(RunChange::NoLongerRun))});
  }
}

std::string dated(const FindingOnDriver& on) {
  const std::string has = fmt::format("{}", fmt::join(on.has, ", "));
  const std::string lacks = fmt::format("{}", fmt::join(on.lacks, ", "));
  if (on.has.empty()) return "not in " + lacks;
  std::string text = "in " + has;
  if (!on.lacks.empty()) text += "; not in " + lacks;
  if (!on.since.empty()) text += fmt::format("; since {}", on.since);
  if (!on.until.empty()) text += fmt::format("; until {}", on.until);
  return text;
}

void writeFindings(std::ostream& out, const Matrix& matrix) {
  if (matrix.findings.empty()) return;
  out << "\n## Findings\n";
  for (const MatrixFinding& finding : matrix.findings) {
    const std::string what = !finding.rule.empty()    ? finding.rule
                             : !finding.query.empty() ? finding.query
                                                      : "what no query tells from passing cases";
    out << "\n### " << markdownCode(finding.target) << ": " << markdownCode(what) << "\n\n"
        << markdownCode(finding.headline) << "\n";
    if (!finding.shortest.empty()) {
      out << "\nThe shortest case: " << markdownCode(finding.shortest) << "\n";
      if (!finding.message.empty()) out << "\n" << markdownBlock(plainLine(finding.message));
    }
    out << "\n"
        << markdownRow({"configuration", "found in", "of"}) << markdownRow({"---", "---:", "---:"});
    for (size_t i = 0; i < finding.cells.size(); ++i) {
      if (finding.cells[i].of == 0) continue;
      out << markdownRow({markdownCode(matrix.configurations[i].name),
                          grouped(finding.cells[i].count), grouped(finding.cells[i].of)});
    }
    out << "\n";
    for (const FindingOnDriver& on : finding.drivers) {
      out << "- On " << markdownCode(on.driver) << ": " << markdownCode(dated(on)) << "\n";
    }
  }
}

}  // namespace

void writeMatrixMarkdown(std::ostream& out, const Matrix& matrix) {
  out << "# " << headlineOf(matrix) << "\n\n";
  writeConfigurations(out, matrix);
  writeNeighbours(out, matrix);
  out << "\n## Operators\n\nCases that pass, of those that ran, at all levels together that the "
         "target has.\n\n";
  writeHead(out, matrix, "operator");
  for (const MatrixLine& line : matrix.operators) {
    std::vector<std::string> cells{markdownCode(line.op)};
    for (const MatrixCell& cell : line.cells) {
      cells.push_back(cell.status == Compliance::NotRun
                          ? ""
                          : fmt::format("{}, {}", word(cell.status), countsOf(cell)));
    }
    out << markdownRow(cells);
  }
  out << "\n## Rules\n\nThose of which two configurations say different things.\n\n";
  if (std::ranges::none_of(matrix.rules, &MatrixLine::differs)) {
    out << "None.\n";
  } else {
    writeHead(out, matrix, "rule");
  }
  for (const MatrixLine& line : matrix.rules) {
    if (!line.differs) continue;
    std::vector<std::string> cells{markdownCode(line.rule)};
    for (const MatrixCell& cell : line.cells) {
      const bool counted = cell.status != Compliance::NotRun && cell.of > 0;
      cells.push_back(cell.status == Compliance::NotRun
                          ? ""
                          : cell.statement + (counted ? ", " + countsOf(cell) : ""));
    }
    out << markdownRow(cells);
  }
  writeFindings(out, matrix);
}

}  // namespace dmlcts

#include <fmt/format.h>

#include <cctype>
#include <functional>

#include "reports/compare/matrix_parts.h"
#include "reports/render/writers.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

std::string link(const std::string& text, const std::string& address) {
  return fmt::format("[{}]({})", text, address);
}

std::string text(const ReportDocument& object, const char* member) { return object.at(member); }

std::string number(const ReportDocument& object, const char* member) {
  return grouped(object.at(member).get<uint64_t>());
}

// Returns a configuration's name, linked to its page if there is one.
std::string named(const ReportDocument& matrix, const ReportDocument& configuration) {
  const std::string name = text(configuration, "name");
  const bool linked = matrix.at("linked").get<bool>() && text(configuration, "problem").empty();
  return linked ? link(markdownCode(name), name + "/index.html") : markdownCode(name);
}

// Writes the table's head: a first column, and one for every configuration.
void writeHead(std::ostream& out, const ReportDocument& matrix, const std::string& first) {
  std::vector<std::string> head{first};
  std::vector<std::string> line{"---"};
  for (const ReportDocument& each : matrix.at("configurations")) {
    head.push_back(named(matrix, each));
    line.emplace_back("---:");
  }
  out << markdownRow(head) << markdownRow(line);
}

std::string word(const std::string& status) {
  if (status == "Broken") return "**broken**";
  if (status == "NotAsked") return "not asked";
  if (status == "NotSupported") return "not supported";
  std::string lower = status;
  lower.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(lower.front())));
  return lower;
}

std::string countsOf(const ReportDocument& cell) {
  return fmt::format("{} of {}", number(cell, "count"), number(cell, "of"));
}

void writeConfigurations(std::ostream& out, const ReportDocument& matrix) {
  out << markdownRow({"configuration", "target", "driver", "tier", "verdicts", "case time"})
      << markdownRow({"---", "---", "---", "---", "---", "---:"});
  for (const ReportDocument& each : matrix.at("configurations")) {
    const std::string problem = text(each, "problem");
    if (!problem.empty()) {
      out << markdownRow({named(matrix, each), "", "", "",
                          markdownCode(problem.substr(0, problem.find('\n'))), ""});
      continue;
    }
    const std::string doubt = text(each, "doubt");
    out << markdownRow({named(matrix, each),
                        markdownCode(text(each, "target") + " " + text(each, "version")),
                        markdownCode(text(each, "driver")), markdownCode(text(each, "tier")),
                        listVerdicts(totalsIn(each.at("totals"))) +
                            (doubt.empty() ? "" : "; " + markdownCode(doubt)),
                        fmt::format("{:.0f} s", each.at("caseSeconds").get<double>())});
  }
}

void writeNeighbours(std::ostream& out, const ReportDocument& matrix) {
  if (matrix.at("neighbours").empty()) return;
  out << "\n## From one to the next\n\n"
      << markdownRow({"from", "to", "what changes", "broken", "no longer proved", "fixed",
                      "still failing", "in one only"})
      << markdownRow({"---", "---", "---", "---:", "---:", "---:", "---:", "---:"});
  for (const ReportDocument& each : matrix.at("neighbours")) {
    const std::string before = text(each, "before");
    const std::string after = text(each, "after");
    const std::string headline = text(each, "headline");
    const ReportDocument& counts = each.at("counts");
    const auto inOneOnly =
        counts.at("newlyCovered").get<uint64_t>() + counts.at("noLongerRun").get<uint64_t>();
    out << markdownRow({markdownCode(before), markdownCode(after),
                        (matrix.at("linked").get<bool>()
                             ? link(headline, fmt::format("{}/from-{}.html", after, before))
                             : headline) +
                            (each.at("otherSpecification").get<bool>()
                                 ? " (Judged by different specification editions.)"
                                 : ""),
                        number(counts, "broken"), number(counts, "weakened"),
                        number(counts, "fixed"), number(counts, "stillFailing"),
                        grouped(inOneOnly)});
  }
}

std::string dated(const ReportDocument& on) {
  const auto joined = [&](const char* member) {
    return fmt::format("{}", fmt::join(on.at(member).get<std::vector<std::string>>(), ", "));
  };
  const std::string has = joined("has");
  const std::string lacks = joined("lacks");
  if (has.empty()) return "not in " + lacks;
  std::string said = "in " + has;
  if (!lacks.empty()) said += "; not in " + lacks;
  for (const char* bound : {"since", "until"}) {
    if (!text(on, bound).empty()) said += fmt::format("; {} {}", bound, text(on, bound));
  }
  return said;
}

void writeFindings(std::ostream& out, const ReportDocument& matrix) {
  if (matrix.at("findings").empty()) return;
  out << "\n## Findings\n";
  for (const ReportDocument& finding : matrix.at("findings")) {
    const std::string rule = text(finding, "rule");
    const std::string query = text(finding, "query");
    const std::string what = !rule.empty()    ? rule
                             : !query.empty() ? query
                                              : "what no query tells from passing cases";
    out << "\n### " << markdownCode(text(finding, "target")) << ": " << markdownCode(what) << "\n\n"
        << markdownCode(text(finding, "headline")) << "\n";
    if (!text(finding, "shortest").empty()) {
      out << "\nThe shortest case: " << markdownCode(text(finding, "shortest")) << "\n";
      const std::string message = text(finding, "message");
      if (!message.empty()) out << "\n" << markdownBlock(plainLine(message));
    }
    out << "\n"
        << markdownRow({"configuration", "found in", "of"}) << markdownRow({"---", "---:", "---:"});
    size_t column = 0;
    for (const ReportDocument& cell : finding.at("cells")) {
      const ReportDocument& configuration = matrix.at("configurations").at(column++);
      if (cell.at("of") == 0) continue;
      out << markdownRow(
          {markdownCode(text(configuration, "name")), number(cell, "found"), number(cell, "of")});
    }
    out << "\n";
    for (const ReportDocument& on : finding.at("drivers")) {
      out << "- On " << markdownCode(text(on, "driver")) << ": " << markdownCode(dated(on)) << "\n";
    }
  }
}

// Writes a table line; a cell is empty if the configuration has no case for it.
void writeLine(std::ostream& out, const ReportDocument& line, const char* head,
               const std::function<std::string(const ReportDocument&)>& textOf) {
  std::vector<std::string> cells{markdownCode(text(line, head))};
  for (const ReportDocument& cell : line.at("cells")) {
    cells.push_back(text(cell, "status") == "NotRun" ? "" : textOf(cell));
  }
  out << markdownRow(cells);
}

}  // namespace

void writeMatrixMarkdown(std::ostream& out, const ReportDocument& matrix) {
  out << "# " << text(matrix, "headline") << "\n\n";
  writeConfigurations(out, matrix);
  writeNeighbours(out, matrix);
  out << "\n## Operators\n\nCases that pass, of those that ran, at all levels together that the "
         "target has.\n\n";
  writeHead(out, matrix, "operator");
  for (const ReportDocument& line : matrix.at("byOperator")) {
    writeLine(out, line, "operator", [](const ReportDocument& cell) {
      return fmt::format("{}, {}", word(text(cell, "status")), countsOf(cell));
    });
  }
  out << "\n## Rules\n\nRules of which two configurations say different things.\n\n";
  bool any = false;
  for (const ReportDocument& line : matrix.at("byRule")) {
    if (!line.at("differs").get<bool>()) continue;
    if (!any) writeHead(out, matrix, "rule");
    any = true;
    writeLine(out, line, "rule", [](const ReportDocument& cell) {
      return text(cell, "statement") + (cell.at("of") > 0 ? ", " + countsOf(cell) : "");
    });
  }
  if (!any) out << "None.\n";
  writeFindings(out, matrix);
}

}  // namespace dmlcts

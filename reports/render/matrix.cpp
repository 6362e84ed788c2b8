#include <fmt/format.h>

#include <cctype>

#include "reports/compare/matrix.h"
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

}  // namespace

void writeMatrixMarkdown(std::ostream& out, const ReportDocument& matrix) {
  out << "# " << text(matrix, "headline") << "\n\n"
      << "Cases that pass, of those that ran, at all levels together that the target has. The "
         "page has rules, findings, and what changes from one configuration to the next.\n\n";
  std::vector<std::string> head{"configuration", "driver", "tier", "verdicts"};
  for (const ReportDocument& line : matrix.at("byOperator")) {
    head.push_back(markdownCode(text(line, "operator")));
  }
  out << markdownRow(head) << markdownRow(std::vector<std::string>(head.size(), "---"));
  for (size_t i = 0; i < matrix.at("configurations").size(); ++i) {
    const ReportDocument& each = matrix.at("configurations").at(i);
    std::vector<std::string> row{named(matrix, each)};
    if (const std::string problem = text(each, "problem"); !problem.empty()) {
      row.insert(row.end(), {"", "", markdownCode(problem.substr(0, problem.find('\n')))});
    } else {
      const std::string doubt = text(each, "doubt");
      row.insert(row.end(), {markdownCode(text(each, "driver")), text(each, "tier"),
                             listVerdicts(totalsIn(each.at("totals"))) +
                                 (doubt.empty() ? "" : "; " + markdownCode(doubt))});
    }
    for (const ReportDocument& line : matrix.at("byOperator")) {
      const ReportDocument& cell = line.at("cells").at(i);
      const std::string status = text(cell, "status");
      row.push_back(status == "NotRun" ? "" : fmt::format("{}, {}", word(status), countsOf(cell)));
    }
    out << markdownRow(row);
  }
  if (!matrix.at("findings").empty()) out << "\nFound in cases, of those that could show it:\n\n";
  for (const ReportDocument& finding : matrix.at("findings")) {
    const std::string rule = text(finding, "rule");
    std::vector<std::string> parts;
    for (size_t i = 0; i < finding.at("cells").size(); ++i) {
      const ReportDocument& cell = finding.at("cells").at(i);
      if (cell.at("found") == 0) continue;
      parts.push_back(fmt::format("{} {} of {}",
                                  markdownCode(text(matrix.at("configurations").at(i), "name")),
                                  number(cell, "found"), number(cell, "of")));
    }
    out << fmt::format("- {}, {}{}: {}\n", markdownCode(text(finding, "target")),
                       rule.empty() ? "" : markdownCode(rule) + ", ",
                       markdownText(text(finding, "headline")), fmt::join(parts, ", "));
  }
}

}  // namespace dmlcts

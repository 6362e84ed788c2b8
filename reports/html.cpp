#include <string_view>

#include "reports/case_index.h"
#include "reports/escape.h"
#include "reports/html_page.h"
#include "reports/report_json.h"
#include "reports/writers.h"

namespace dmlcts {
namespace {

// Failures shown with all details: more would make a page that no browser likes to open.
constexpr size_t kMaxFailures = 1000;

std::string pageData(const Report& report) {
  ReportDocument document = toDocument(report, kMaxFailures);
  document["caseIndex"] = packCases(report);
  return escapeJsonForHtml(toText(document, -1));
}

std::string title(const Report& report) {
  std::string text = "dmlcts";
  if (!report.run.target.empty()) text += ": " + report.run.target;
  if (!report.run.adapter.empty()) text += " on " + report.run.adapter;
  return escapeMarkup(text);
}

}  // namespace

void writeHtml(std::ostream& out, const Report& report) {
  const HtmlParts& parts = htmlParts();
  // One pass over the template, so that nothing inserted is taken for a placeholder.
  std::string_view rest = parts.page;
  while (true) {
    const size_t begin = rest.find("{{");
    const size_t end = begin == rest.npos ? rest.npos : rest.find("}}", begin);
    if (end == rest.npos) break;
    out << rest.substr(0, begin);
    const std::string_view placeholder = rest.substr(begin + 2, end - begin - 2);
    if (placeholder == "title") {
      out << title(report);
    } else if (placeholder == "style") {
      out << parts.style;
    } else if (placeholder == "summary") {
      out << escapeMarkup(terminalSummary(report));
    } else if (placeholder == "data") {
      out << pageData(report);
    } else if (placeholder == "script") {
      out << parts.script;
    }
    rest.remove_prefix(end + 2);
  }
  out << rest;
}

}  // namespace dmlcts

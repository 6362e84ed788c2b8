#include <zlib.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "conformance/cases/case_string.h"
#include "conformance/cases/measures.h"
#include "conformance/cases/operator_syntax.h"
#include "conformance/cases/query.h"
#include "reference/rules.h"
#include "reports/compare/bench_results.h"
#include "reports/compare/diff.h"
#include "reports/compare/series.h"
#include "reports/render/case_index.h"
#include "reports/render/html_page.h"
#include "reports/render/report_json.h"
#include "reports/render/writers.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

// Failures with full details; more would make the page slow to open.
constexpr size_t kFailuresOfPage = 1000;
constexpr size_t kMaxDiffRows = 1000;  // of each kind

constexpr int kCompression = 4;  // a finished run waits for it; the default takes twice as long

// Returns base64 of zlib's format; the page unpacks it with DecompressionStream("deflate").
std::string packed(std::string_view text) {
  if (text.empty()) return "";
  uLongf size = compressBound(text.size());
  std::string bytes(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), text.size(), kCompression);
  if (status != Z_OK) throw std::runtime_error("zlib cannot compress a report page");
  bytes.resize(size);

  constexpr char kBase64Digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<uint8_t>(bytes[i + j]) : 0u);
    }
    for (size_t j = 0; j < 4; ++j) {
      out += i + j > bytes.size() ? '=' : kBase64Digits[group >> (18 - 6 * j) & 63];
    }
  }
  return out;
}

struct Page {
  std::string title;
  std::string summary;  // for browsers without scripts
  ReportDocument data;
  ReportDocument index;  // packed: everything that the first screen does not need
  bool hasCharts = false;
};

// Returns each operator's tensors and the values that its case strings omit, unless these follow
// from the case: spelledOut() has those.
ReportDocument operatorSyntax() {
  ReportDocument all = ReportDocument::array();
  for (std::string_view name : operatorNames()) {
    Case testCase;
    testCase.descriptor = makeOperator(name).value();
    std::vector<std::string> tensorNames, outputs;
    for (const TensorSlot& slot : tensors(testCase.descriptor)) {
      tensorNames.emplace_back(slot.name);
      if (slot.isOutput) outputs.emplace_back(slot.name);
    }
    ReportDocument defaults = ReportDocument::object();
    for (std::string_view key : kBoundable) defaults[std::string(key)] = "0";
    for (const std::string& key : caseKeys()) {
      const auto field = findField(testCase, key);
      const bool follows = key == "dims" || key.starts_with("total.") ||
                           std::ranges::find(tensorNames, key) != tensorNames.end();
      if (field && field->canonical.empty() && !follows) defaults[key] = field->full;
    }
    all.push_back({{"name", name},
                   {"tensors", tensorNames},
                   {"outputs", outputs},
                   {"defaults", std::move(defaults)}});
  }
  return all;
}

// Returns the valid names of values, for messages: key -> [one value in words, ends, names].
ReportDocument namesOfValues() {
  ReportDocument all = ReportDocument::object();
  for (const ValueNames& names : valueNames()) {
    all[std::string(names.key)] = {names.one, names.ends, names.all};
  }
  return all;
}

void writePage(std::ostream& out, Page page) {
  page.data["valueNames"] = namesOfValues();
  page.data["operators"] = operatorSyntax();
  page.data["caseKeys"] = caseKeys();
  page.data["measures"] = ReportDocument::array();
  for (const Measure& each : measures()) page.data["measures"].push_back(each.key);
  page.data["levels"] = ReportDocument::array();
  for (Level level : kLevels) page.data["levels"].push_back(name(level));
  const HtmlParts& parts = htmlParts();
  // A single pass over the template, so that inserted text is never taken for a placeholder.
  std::string_view rest = parts.page;
  while (true) {
    const size_t begin = rest.find("{{");
    const size_t end = begin == rest.npos ? rest.npos : rest.find("}}", begin);
    if (end == rest.npos) break;
    out << rest.substr(0, begin);
    const std::string_view placeholder = rest.substr(begin + 2, end - begin - 2);
    if (placeholder == "title") {
      out << escapeMarkup(page.title);
    } else if (placeholder == "style") {
      out << parts.style;
    } else if (placeholder == "summary") {
      out << escapeMarkup(page.summary);
    } else if (placeholder == "data") {
      out << escapeJsonForHtml(toText(page.data, -1));
    } else if (placeholder == "script") {
      out << parts.script;
    } else if (placeholder == "index") {
      out << packed(page.index.is_null() ? "" : toText(page.index, -1));
    } else if (placeholder == "charts") {
      out << packed(page.hasCharts ? parts.charts : std::string_view());
    }
    rest.remove_prefix(end + 2);
  }
  out << rest;
}

std::string nameOf(const JournalHeader& run) {
  return run.adapter.empty() ? run.target : run.target + " on " + run.adapter;
}

}  // namespace

void writeHtml(std::ostream& out, const Report& report) {
  Page page;
  page.title = "dmlcts";
  if (!report.run.target.empty()) page.title += ": " + nameOf(report.run);
  page.summary = terminalSummary(report);
  page.data = toDocument(report, kFailuresOfPage);
  page.data["page"] = "report";
  page.index = packCases(report);
  for (const char* member : {"matrix", "holes"}) {
    page.index[member] = std::move(page.data[member]);
    page.data.erase(member);
  }
  page.hasCharts = true;
  writePage(out, std::move(page));
}

void writeDiffHtml(std::ostream& out, const Diff& diff) {
  Page page;
  page.title = "dmlcts: " + nameOf(diff.before->run) + " and " + nameOf(diff.after->run);
  page.summary = diffText(diff);
  page.data = toDocument(diff, kMaxDiffRows);
  page.data["page"] = "diff";
  page.data["replay"] = "dmlcts replay " + replayArguments(diff.after->run);
  std::unordered_map<std::string_view, const JournalEntry*> entries;
  for (const CaseChange& each : diff.changes) {
    const bool known = each.after && !(each.before && each.after->has.empty());
    entries.emplace(each.entry().caseString, known ? each.after : each.before);
  }
  for (auto& rows : page.data["changes"]) {
    for (ReportDocument& row : rows) {
      const JournalEntry& entry = *entries.at(row["case"].get_ref<const std::string&>());
      row["facts"] = inputFacts(entry);
      row["spelled"] = spelledOut(entry.caseString);
    }
  }
  writePage(out, std::move(page));
}

void writeSeriesHtml(std::ostream& out, const Series& series) {
  Page page;
  page.title = "dmlcts: runs over time";
  page.summary = seriesText(series);
  page.data = toDocument(series);
  page.data["page"] = "series";
  page.hasCharts = true;
  writePage(out, std::move(page));
}

void writeMatrixHtml(std::ostream& out, const ReportDocument& matrix) {
  Page page;
  page.title = "dmlcts: " + counted(matrix.at("configurations").size(), "configuration");
  page.summary = matrixText(matrix);
  page.data = matrix;
  page.data["page"] = "matrix";
  ReportDocument wording = ReportDocument::object();
  for (const Rule& rule : rules()) wording[std::string(rule.id)] = rule.wording;
  page.data["wording"] = std::move(wording);
  writePage(out, std::move(page));
}

void writeBenchHtml(std::ostream& out, const BenchResults& results) {
  Page page;
  page.title = "dmlcts: benchmarks";
  page.summary = benchText(results);
  page.data = toDocument(results);
  page.data["page"] = "bench";
  page.hasCharts = true;
  writePage(out, std::move(page));
}

}  // namespace dmlcts

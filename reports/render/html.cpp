#include <zlib.h>

#include <stdexcept>
#include <string_view>
#include <unordered_map>

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

// Returns base64 of zlib's format; the page unpacks it with DecompressionStream("deflate").
std::string packed(std::string_view text) {
  if (text.empty()) return "";
  uLongf size = compressBound(text.size());
  std::string bytes(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_DEFAULT_COMPRESSION);
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

// Returns the operators' syntax for the page's queries. Per tensor: the type if the case leaves it
// out ("input": the input's). Per dimension count: the slot whose DimensionCount is the default
// (null: 0). Found from descriptors in which all tensors differ.
ReportDocument operatorSyntax() {
  ReportDocument all = ReportDocument::array();
  for (std::string_view name : operatorNames()) {
    Descriptor descriptor = makeOperator(name).value();
    const auto descs = mutableTensors(descriptor);
    for (size_t i = 0; i < descs.size(); ++i) descs[i]->sizes.assign(i + 1, 1);
    constexpr DataType kAnyType = DataType::Int16;
    descs[0]->type = kAnyType;
    ReportDocument operatorTensors = ReportDocument::array();
    const auto slots = tensors(descriptor);
    for (size_t i = 0; i < slots.size(); ++i) {
      const auto type = i == 0 ? std::nullopt : defaultType(descriptor, i);
      ReportDocument tensor{{"name", slots[i].name}, {"output", slots[i].isOutput}};
      if (type) tensor["type"] = *type == kAnyType ? "input" : info(*type).name;
      operatorTensors.push_back(std::move(tensor));
    }
    ReportDocument dims = ReportDocument::array();
    for (uint32_t count : defaultDimensionCounts(descriptor)) {
      dims.push_back(count == 0 ? ReportDocument() : ReportDocument(count - 1));
    }
    all.push_back({{"name", name},
                   {"tensors", std::move(operatorTensors)},
                   {"dims", std::move(dims)},
                   {"index", hasIndices(descriptor)}});
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
  page.title = "dmlcts: " + nameOf(diff.before) + " and " + nameOf(diff.after);
  page.summary = diffText(diff);
  page.data = toDocument(diff, kMaxDiffRows);
  page.data["page"] = "diff";
  page.data["replay"] = "dmlcts replay " + replayArguments(diff.after);
  std::unordered_map<std::string_view, const JournalEntry*> entries;
  for (const CaseChange& each : diff.changes) {
    const bool known = each.after && !(each.before && each.after->has.empty());
    entries.emplace(each.entry().caseString, known ? each.after : each.before);
  }
  for (auto& rows : page.data["changes"]) {
    for (ReportDocument& row : rows) {
      row["facts"] = inputFacts(*entries.at(row["case"].get_ref<const std::string&>()));
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

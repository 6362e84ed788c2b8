#include <zlib.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/cases/facts/facts.h"
#include "conformance/cases/facts/terms.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/cases/language/operator_syntax.h"
#include "reference/rules.h"
#include "reports/compare/bench_results.h"
#include "reports/compare/diff.h"
#include "reports/journal/journal_members.h"
#include "reports/render/html_page.h"
#include "reports/render/writers.h"
#include "reports/summary/summary.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

using Json = ReportDocument;

// Numbers values by their keys, in order of appearance.
class Table {
 public:
  size_t indexOf(const std::string& key, const auto& valueOf) {
    const auto [found, fresh] = indices_.emplace(key, indices_.size());
    if (fresh) values_.push_back(valueOf());
    return found->second;
  }
  Json take() { return std::move(values_); }

 private:
  std::unordered_map<std::string, size_t> indices_;
  Json values_ = Json::array();
};

// Returns what a case string omits or shortens, in its syntax: tensors, dims, totals, strides of
// layouts (steps.TENSOR), and measures other than 0. "" if this version cannot read it.
std::string spelledOut(std::string_view caseString) {
  std::string words;
  const auto add = [&words](std::string_view key, std::string_view tensor, auto&& values) {
    if (!words.empty()) words += ' ';
    fmt::format_to(std::back_inserter(words), "{}{}={}", key, tensor,
                   std::forward<decltype(values)>(values));
  };
  try {
    const Case testCase = parseCase(caseString);
    const Descriptor& descriptor = testCase.descriptor;
    const auto dims = dimensionCounts(descriptor);
    if (!dims.empty() && dims == defaultDimensionCounts(descriptor)) {
      add("dims", "", fmt::join(dims, ","));
    }
    const bool hasLayouts = caseString.find(" layout.") != caseString.npos;
    const auto slots = tensors(descriptor);
    for (size_t i = 0; i < slots.size(); ++i) {
      const TensorDesc& desc = *slots[i].desc;
      if (defaultType(descriptor, i) == desc.type) {
        add("", slots[i].name, info(desc.type).name);
        words += desc.sizes.empty() ? ":none" : fmt::format(":{}", fmt::join(desc.sizes, "x"));
      }
      add("total.", slots[i].name, desc.totalBytes);
      if (desc.strides && hasLayouts) {
        add("steps.", slots[i].name, fmt::join(*desc.strides, ","));
      }
    }
    for (std::string_view key : boundedKeys()) {
      const uint64_t number = numberOf(testCase, key).value_or(0);
      if (number != 0) add(key, "", number);
    }
  } catch (const SyntaxError&) {
    return "";  // of another version
  }
  return words;
}

// Returns spelledOut() and facts of its inputs for queries: the class of its attributes, the traits
// of its inputs (conformance/cases/facts/traits.h) and the number of denormals, unless the journal
// lacks them.
std::string otherWords(const JournalEntry& entry) {
  std::string words = spelledOut(entry.caseString);
  if (!words.empty()) words += ' ';
  if (!entry.executed) return words + "denormals=0";
  if (entry.has.empty()) return words;
  // The last of a case's labels is the class of its attributes.
  std::string has = entry.has + (entry.weak ? " weak" : "");
  std::ranges::replace(has, ' ', ',');
  return fmt::format("{}attributes={} has={} denormals={}", words,
                     entry.labels.substr(entry.labels.rfind(' ') + 1), has, entry.denormals);
}

// Returns every case of the report for the page, as columns of text, which take little memory.
// Described in reports/README.md; unpacked by reports/html/app/cases.js.
ReportDocument packCases(const Report& report) {
  Table strings, ruleLists;
  std::unordered_map<std::string_view, size_t> ruleIndex;
  for (size_t i = 0; i < report.rules.size(); ++i) ruleIndex.emplace(report.rules[i].id, i);
  constexpr std::array kColumns{"operator", "level", "type", "family",   "verdict",
                                "note",     "words", "rank", "executed", "rules"};
  std::array<std::string, kColumns.size()> columns;
  std::string names;  // a line each
  for (const JournalEntry& entry : report.cases) {
    auto column = columns.begin();
    const auto put = [&](size_t number) {
      fmt::format_to(std::back_inserter(*column++), "{},", number);
    };
    const auto putText = [&](const std::string& text) {
      put(strings.indexOf(text, [&] { return text; }));
    };
    // Each failure has its own message, which the list of failures shows.
    const bool hasNote = entry.verdict != Verdict::Pass && !isFailure(entry.verdict) &&
                         entry.verdict != Verdict::InternalError;
    putText(entry.op);
    putText(entry.level);
    putText(entry.type);
    putText(entry.family);
    putText(std::string(name(entry.verdict)));
    putText(hasNote ? entry.message : "");
    putText(otherWords(entry));
    put(entry.rank);
    put(entry.executed ? 1 : 0);
    // Equal lists share their memory.
    put(ruleLists.indexOf(fmt::format("{}", fmt::ptr(&entry.rules.list())), [&] {
      return arrayOf(entry.rules, [&](const std::string& id) { return Json(ruleIndex.at(id)); });
    }));
    std::ranges::replace_copy(entry.caseString, std::back_inserter(names), '\n', ' ');
    names += '\n';
  }
  Json index = {
      {"strings", strings.take()}, {"ruleLists", ruleLists.take()}, {"names", std::move(names)}};
  for (size_t i = 0; i < columns.size(); ++i) index[kColumns[i]] = std::move(columns[i]);
  return index;
}

// Failures with full details; more would make the page slow to open.
constexpr size_t kFailuresOfPage = 1000;
constexpr size_t kMaxDiffRows = 1000;  // of each kind

// Returns the members of a wrong element, as short as they can be; the sentence of any other
// difference.
Json membersOf(const Difference& difference) {
  if (difference.element.empty()) return difference;
  Json members = Json::array();
  visitMembers(difference, [&](auto, const auto& value, Member) { members.push_back(value); });
  return members;
}

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
    for (std::string_view key : boundedKeys()) defaults[std::string(key)] = "0";
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
  for (std::string_view key : factKeys()) {
    if (!findFact(key).fact->values) page.data["measures"].push_back(key);
  }
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
      const std::string text = page.index.is_null() ? "" : toText(page.index, -1);
      page.index = nullptr;
      out << packed(text);
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
  size_t shown = 0;
  for (Json& failure : page.data["failures"]) {
    const JournalEntry& entry = report.cases[report.failures[shown++]];
    failure["differences"] = arrayOf(entry.differences, membersOf);
  }
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
      row["words"] = otherWords(entry);
    }
  }
  writePage(out, std::move(page));
}

void writeMatrixHtml(std::ostream& out, const ReportDocument& matrix) {
  Page page;
  page.title = "dmlcts: " + counted(matrix.at("configurations").size(), "configuration");
  page.summary = matrixText(matrix);
  page.data = matrix;
  page.data["page"] = "matrix";
  page.hasCharts = matrix.value("series", false);
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

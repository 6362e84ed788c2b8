#include <zlib.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/facts/labels.h"
#include "conformance/language/case_string.h"
#include "reference/rules.h"
#include "reports/compare/bench_results.h"
#include "reports/compare/comparison.h"
#include "reports/journal/journal_members.h"
#include "reports/render/html_page.h"
#include "reports/render/writers.h"
#include "reports/summary/summary.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

using Json = ReportDocument;

std::optional<Case> readable(std::string_view caseString) {
  try {
    return parseCase(caseString);
  } catch (const SyntaxError&) {
    return std::nullopt;  // of another version
  }
}

// Returns "negative" for index=negative and for its default; "" if the case has no such field.
std::string kindOf(const std::optional<Case>& testCase, std::string_view key) {
  const auto field = testCase ? findField(*testCase, key) : std::nullopt;
  return field ? field->full.substr(0, field->full.find('(')) : "";
}

// Returns "perm(0,2,1)", "other" for strides that no layout has, or "" for a tensor without
// strides.
std::string layoutOf(const Case& testCase, const TensorSlot& slot) {
  if (!slot.desc->strides) return "";
  const auto field = findField(testCase, "layout." + std::string(slot.name));
  return field && !field->canonical.empty() ? field->canonical : "other";
}

std::string layoutsOf(const std::optional<Case>& testCase) {
  if (!testCase) return "";
  std::string lines;
  for (const TensorSlot& slot : tensors(testCase->descriptor)) {
    const std::string layout = layoutOf(*testCase, slot);
    if (layout.empty()) continue;
    lines += fmt::format("{}{} {}", lines.empty() ? "" : "\n", slot.name,
                         layout == "other" ? "other strides" : layout.substr(0, layout.find('(')));
  }
  return lines.empty() ? "all packed" : lines;
}

// Returns a line for each tensor: name, direction, type, sizes, strides, total size in bytes and
// layout, with "-" for none.
std::string tensorsOf(const std::optional<Case>& testCase) {
  if (!testCase) return "";
  std::string lines;
  const auto orNone = [](std::string text) { return text.empty() ? "-" : text; };
  for (const TensorSlot& slot : tensors(testCase->descriptor)) {
    const TensorDesc& desc = *slot.desc;
    const std::string strides =
        desc.strides ? fmt::format("{}", fmt::join(*desc.strides, ",")) : "";
    lines += fmt::format("{}{} {} {} {} {} {} {}", lines.empty() ? "" : "\n", slot.name,
                         slot.isOutput ? "output" : "input", info(desc.type).name,
                         orNone(fmt::format("{}", fmt::join(desc.sizes, "x"))), orNone(strides),
                         desc.totalBytes, orNone(layoutOf(*testCase, slot)));
  }
  return lines;
}

// Returns the word for a parameter of a case that executes (conformance/facts/labels.h).
std::string labelOf(const JournalEntry& entry, Parameter parameter) {
  std::string_view words = entry.labels;
  for (size_t i = 0; i < static_cast<size_t>(parameter) && !words.empty(); ++i) {
    words.remove_prefix(std::min(words.find(' '), words.size() - 1) + 1);
  }
  return std::string(words.substr(0, words.find(' ')));
}

// A fact by which the page filters cases; several values are lines.
struct PageFact {
  const char* key;
  const char* title;
  std::string (*of)(const JournalEntry& entry, const std::optional<Case>& testCase);
};

constexpr std::array<PageFact, 14> kPageFacts{{
    {"verdict", "Verdict", [](auto& entry, auto&) { return std::string(name(entry.verdict)); }},
    {"operator", "Operator", [](auto& entry, auto&) { return entry.op; }},
    {"level", "Level", [](auto& entry, auto&) { return entry.level; }},
    {"type", "Input type", [](auto& entry, auto&) { return entry.type; }},
    {"rank", "Rank", [](auto& entry, auto&) { return std::to_string(entry.rank); }},
    {"family", "Family", [](auto& entry, auto&) { return entry.family; }},
    {"expect", "Must", [](auto&, auto& testCase) { return kindOf(testCase, "expect"); }},
    {"fill", "Values", [](auto&, auto& testCase) { return kindOf(testCase, "fill"); }},
    {"index", "Indices", [](auto&, auto& testCase) { return kindOf(testCase, "index"); }},
    {"layout", "Layout", [](auto&, auto& testCase) { return layoutsOf(testCase); }},
    {"has", "Inputs hold",
     [](auto& entry, auto&) {
       std::string lines = entry.has + (entry.weak ? " weak" : "");
       std::ranges::replace(lines, ' ', '\n');
       return lines;
     }},
    {"size", "Elements", [](auto& entry, auto&) { return labelOf(entry, Parameter::Size); }},
    {"attributes", "Attributes",
     [](auto& entry, auto&) { return labelOf(entry, Parameter::Attributes); }},
    {"mode", "Mode", [](auto& entry, auto&) { return entry.mode; }},
}};
// Further facts, which no case alone has.
constexpr const char* kRule = "rule";
constexpr const char* kReason = "reason";  // of a waiver
constexpr const char* kCause = "cause";    // by number, from 1

// Returns the numbers of each case's causes, as lines.
std::vector<std::string> causesOf(const Report& report) {
  std::vector<std::string> causes(report.cases.size());
  for (size_t i = 0; i < report.clusters.size(); ++i) {
    for (size_t index : report.clusters[i].cases) {
      causes[index] += fmt::format("{}{}", causes[index].empty() ? "" : "\n", i + 1);
    }
  }
  return causes;
}

// Packs cases as columns, which take little memory: `names` has a line for each case, every column
// its different texts and, for each case, the number of its text. reports/html/app/cases.js unpacks
// them.
class PackedCases {
 public:
  void add(const JournalEntry& entry, const std::string& causes = "") {
    const std::optional<Case> testCase = readable(entry.caseString);
    next_ = 0;
    for (const PageFact& fact : kPageFacts) put(fact.key, fact.of(entry, testCase));
    put(kRule, linesOf(entry.rules.list()));
    const bool waived = entry.verdict == Verdict::Waived;
    put(kReason, waived ? std::string(reasonIn(entry.message)) : "");
    put(kCause, causes);
    // Each failure has its own message, which the list of failures shows.
    const bool hasNote = entry.verdict != Verdict::Pass && !isFailure(entry.verdict) &&
                         entry.verdict != Verdict::InternalError;
    put("note", hasNote ? entry.message : "");
    put("tensors", tensorsOf(testCase));
    std::ranges::replace_copy(entry.caseString, std::back_inserter(names_), '\n', ' ');
    names_ += '\n';
  }

  ReportDocument take() {
    Json columns = Json::object();
    for (Column& column : columns_) {
      columns[column.key] = {{"texts", std::move(column.texts)},
                             {"numbers", std::move(column.numbers)}};
    }
    return {{"names", std::move(names_)}, {"columns", std::move(columns)}};
  }

 private:
  struct Column {
    const char* key;
    std::unordered_map<std::string, size_t> numberOf = {};
    Json texts = Json::array();
    std::string numbers = {};
  };

  // Puts the text into the next column. Each case has a text for each, in the same order.
  void put(const char* key, const std::string& text) {
    if (next_ == columns_.size()) columns_.push_back({key});
    Column& column = columns_[next_++];
    const auto [found, fresh] = column.numberOf.try_emplace(text, column.texts.size());
    if (fresh) column.texts.push_back(text);
    const fmt::format_int number(found->second);
    column.numbers.append(number.data(), number.size()) += ',';
  }

  // Equal lists share their memory.
  const std::string& linesOf(const RuleIds::List& rules) {
    const auto [found, fresh] = linesOf_.try_emplace(&rules);
    if (fresh) found->second = fmt::format("{}", fmt::join(rules, "\n"));
    return found->second;
  }

  std::vector<Column> columns_;
  size_t next_ = 0;
  std::unordered_map<const RuleIds::List*, std::string> linesOf_;
  std::string names_;
};

ReportDocument packCases(const Report& report) {
  PackedCases packed;
  const std::vector<std::string> causes = causesOf(report);
  for (size_t i = 0; i < report.cases.size(); ++i) packed.add(report.cases[i], causes[i]);
  return packed.take();
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

// Compresses text, part by part.
class Packed {
 public:
  Packed() {
    if (deflateInit(&stream_, kCompression) != Z_OK) throw std::bad_alloc();
  }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;
  ~Packed() { deflateEnd(&stream_); }

  void add(const std::string& text) {
    if (!text.empty()) compress(text, Z_NO_FLUSH);
  }

  // Returns base64 of zlib's format; the page unpacks it with DecompressionStream("deflate").
  std::string take();

 private:
  void compress(const std::string& text, int flush) {
    std::array<Bytef, 1 << 16> some{};
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      stream_.next_out = some.data();
      stream_.avail_out = static_cast<uInt>(some.size());
      deflate(&stream_, flush);
      bytes_.insert(bytes_.end(), some.begin(), some.end() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::vector<uint8_t> bytes_;
};

std::string Packed::take() {
  compress("", Z_FINISH);
  constexpr char kBase64Digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes_.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes_.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes_.size() ? uint32_t{bytes_[i + j]} : 0u);
    }
    for (size_t j = 0; j < 4; ++j) {
      out += i + j > bytes_.size() ? '=' : kBase64Digits[group >> (18 - 6 * j) & 63];
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

void writePage(std::ostream& out, Page page) {
  page.data["factTitles"] = ReportDocument::object();
  for (const PageFact& fact : kPageFacts) page.data["factTitles"][fact.key] = fact.title;
  page.data["factTitles"].update({{kRule, "Rule"}, {kReason, "Waived for"}, {kCause, "Cause"}});
  page.data["levelNames"] = ReportDocument::array();
  for (Level level : kLevels) page.data["levelNames"].push_back(name(level));
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
      Packed packed;
      const char* before = "{";
      for (auto& [name, member] : page.index.items()) {
        packed.add(std::exchange(before, ",") + toText(name, -1) + ":");
        packed.add(toText(member, -1));
        member = nullptr;  // of many cases, each is large
      }
      if (!page.index.empty()) packed.add("}");
      if (!page.index.empty()) out << packed.take();
    } else if (placeholder == "charts" && page.hasCharts) {
      Packed packed;
      packed.add(std::string(parts.charts));
      out << packed.take();
    }
    rest.remove_prefix(end + 2);
  }
  out << rest;
}

// Returns the names of the files in a failure's bundle. A journal may come from anyone, so only
// folders that are named like a bundle are listed.
std::vector<std::string> filesOf(const JournalEntry& entry, const std::filesystem::path& folder) {
  std::vector<std::string> names;
  const std::filesystem::path bundle = folder / entry.bundle;
  if (folder.empty() || bundle.parent_path().filename() != "bundles") return names;
  std::error_code none;
  for (const auto& each : std::filesystem::directory_iterator(bundle, none)) {
    if (each.is_regular_file(none)) names.push_back(each.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
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
  page.data["statement"] = statementText(report);
  size_t shown = 0;
  for (Json& failure : page.data["failures"]) {
    const JournalEntry& entry = report.cases[report.failures[shown++]];
    failure["differences"] = arrayOf(entry.differences, membersOf);
    failure["bundleFiles"] = filesOf(entry, report.folder);
  }
  page.index = packCases(report);
  for (const char* member : {"matrix", "holes"}) {
    page.index[member] = std::move(page.data[member]);
    page.data.erase(member);
  }
  // Draws failure rates alone, which known failures have, too.
  page.hasCharts = !report.failures.empty() ||
                   report.totals[Verdict::Waived] + report.totals[Verdict::Arguable] > 0;
  writePage(out, std::move(page));
}

void writeComparisonHtml(std::ostream& out, const RunComparison& comparison) {
  Page page;
  const bool two = comparison.runs.size() == 2;
  page.title =
      two ? "dmlcts: " + nameOf(comparison.first().run) + " and " + nameOf(comparison.last().run)
          : "dmlcts: " + counted(comparison.runs.size(), "run");
  page.summary = comparisonText(comparison);
  page.data = toDocument(comparison, kMaxDiffRows);
  page.data["page"] = "diff";
  page.data["replay"] = "dmlcts replay " + replayArguments(comparison.last().run);
  page.hasCharts = !two;
  PackedCases packed;
  std::map<RunChange, size_t> shown;
  for (const CaseChange& each : comparison.changes) {
    if (shown[each.change]++ < kMaxDiffRows) packed.add(each.entry());
  }
  page.index = packed.take();
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

#include "conformance/command/nightly/nights.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "conformance/command/commands.h"
#include "conformance/command/journals.h"
#include "reference/counted.h"
#include "reports/compare/comparison.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"
#include "reports/render/writers.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLog = "log.txt";

// False while a process is at work on the night.
bool isIdle(const Folder& night) {
  try {
    const AppendFile log(night, kLog, AppendFile::Mode::Append);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

// A night of an older version has no parts.
std::vector<NightPart> partsOf(const nlohmann::json& night) {
  std::vector<NightPart> parts;
  for (const nlohmann::json& each : night.value("parts", nlohmann::json::array())) {
    NightPart& part = parts.emplace_back(NightPart{each.at("what"), std::nullopt, each.at("how")});
    if (!each.at("status").is_null()) part.status = each.at("status").get<int>();
  }
  return parts;
}

std::string indexName(uint32_t share) {
  return share == 0 ? "index.html" : fmt::format("index-{:03}.html", share);
}

}  // namespace

std::string NightPart::text() const {
  const std::string text =
      status ? fmt::format("{} {}", what, *status) : fmt::format("no {}", what);
  return how.empty() ? text : fmt::format("{} ({})", text, how);
}

int Night::status() const {
  int worst = kAsExpected;
  for (const NightPart& each : parts) worst = std::max(worst, each.status.value_or(kAsExpected));
  return worst;
}

std::string Night::text() const {
  std::vector<std::string> texts;
  for (const NightPart& each : parts) texts.push_back(each.text());
  return fmt::format("status {}: {}", status(), fmt::join(texts, ", "));
}

std::optional<Night> readNight(const fs::path& folder) {
  const fs::path file = folder / kNightFile;
  try {
    const auto json = parseJson(readInput(file), file.string());
    return Night{folder,          json.at("startedAt"), json.at("share"),
                 json.at("seed"), json.at("options"),   partsOf(json)};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void writeNight(const Folder& folder, const Night& night) {
  const ReportDocument parts = arrayOf(night.parts, [](const NightPart& part) -> ReportDocument {
    return {{"what", part.what},
            {"status", part.status ? ReportDocument(*part.status) : ReportDocument()},
            {"how", part.how}};
  });
  const ReportDocument json = {
      {"night", 1},         {"startedAt", night.startedAt}, {"share", night.share},
      {"seed", night.seed}, {"options", night.options},     {"status", night.status()},
      {"parts", parts}};
  folder.replace({textFile(kNightFile, toText(json, 1) + "\n")});
}

std::vector<Night> nightsBefore(const Night& night) {
  std::vector<Night> earlier;
  for (const auto& entry : fs::directory_iterator(night.folder.parent_path())) {
    if (!fs::is_directory(entry.symlink_status())) continue;
    if (auto other = readNight(entry.path()); other && other->share == night.share) {
      if (*other < night) earlier.push_back(std::move(*other));
    }
  }
  std::ranges::sort(earlier, [](const Night& a, const Night& b) { return b < a; });
  return earlier;
}

bool hasWholeRun(const Night& night) {
  try {
    const Report report = readReport({(night.folder / "run").string()}, night.folder);
    return report.complete() && shortfallOf(report).empty() &&
           report.totals[Verdict::InternalError] == 0;
  } catch (const std::exception&) {
    return false;  // there is no journal, or nobody can read it
  }
}

void writeIndex(const Night& night) {
  const fs::path home = night.folder.parent_path();
  std::vector<Night> nights = nightsBefore(night);
  std::ranges::reverse(nights);
  nights.push_back(night);
  const auto read = [&](size_t i) -> std::optional<ComparedRun> {
    const fs::path run = nights[i].folder / "run";
    try {
      return ComparedRun{.name = nights[i].name(),
                         .report = readReport({run.string()}, home, "a page of nights"),
                         .page = pageOf(run.string(), home),
                         .note = nights[i].text()};
    } catch (const std::exception&) {
      return std::nullopt;  // there is no journal, or nobody can read it
    }
  };
  const RunComparison comparison = compareRuns(nights.size(), read, RunOrder::AsGiven);
  if (comparison.runs.empty()) return;
  std::ostringstream page;
  writeComparisonHtml(page, comparison);
  Folder(home).replace({textFile(indexName(night.share), std::move(page).str())});
}

bool isIndexName(std::string_view name) {
  return name.starts_with("index") && name.ends_with(".html");
}

std::vector<std::string> deleteOld(const std::vector<Night>& earlier, size_t kept,
                                   const std::optional<Night>& last) {
  std::vector<std::string> lines;
  size_t deleted = 0;
  for (size_t i = kept; i < earlier.size(); ++i) {
    try {
      const Folder all(earlier[i].folder.parent_path());
      const Folder night = all.within(earlier[i].name());
      if ((last && last->folder == earlier[i].folder) || !isIdle(night)) continue;
      // The mark goes last: what a kill leaves is still a night, to be deleted next time.
      night.clear(kNightFile);
      all.removeFolder(earlier[i].name());
      ++deleted;
    } catch (const std::exception& error) {
      lines.push_back(fmt::format("warning: the old night {} cannot be deleted: {}",
                                  earlier[i].name(), error.what()));
    }
  }
  if (deleted > 0) lines.push_back(fmt::format("deleted {}", counted(deleted, "old night")));
  return lines;
}

NightLog::NightLog(const Folder& folder) : file_(folder, kLog, AppendFile::Mode::Append) {}

void NightLog::add(std::string_view lines) {
  if (lines.ends_with('\n')) lines.remove_suffix(1);
  fmt::print("{}\n", lines);
  std::fflush(stdout);
  file_.appendLine(lines);
}

}  // namespace dmlcts

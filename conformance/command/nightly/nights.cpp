#include "conformance/command/nightly/nights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "conformance/command/journals.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"

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

}  // namespace

std::optional<Night> readNight(const fs::path& folder) {
  const fs::path file = folder / kNightFile;
  try {
    const auto json = parseJson(readInput(file), file.string());
    return Night{folder, json.at("startedAt"), json.at("share"), json.at("seed"),
                 json.at("options")};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void writeNight(const Folder& folder, const Night& night) {
  const nlohmann::ordered_json json = {{"night", 1},
                                       {"startedAt", night.startedAt},
                                       {"share", night.share},
                                       {"seed", night.seed},
                                       {"options", night.options}};
  folder.replace({textFile(kNightFile, json.dump(1) + "\n")});
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

size_t deleteOld(const std::vector<Night>& earlier, size_t kept, const std::optional<Night>& last) {
  size_t deleted = 0;
  for (size_t i = kept; i < earlier.size(); ++i) {
    const Folder all(earlier[i].folder.parent_path());
    const Folder night = all.within(earlier[i].name());
    if ((last && last->folder == earlier[i].folder) || !isIdle(night)) continue;
    // The mark goes last: what a kill leaves is still a night, to be deleted next time.
    for (const std::string& name : night.names()) {
      if (name != kNightFile) night.removeFolder(name);
    }
    all.removeFolder(earlier[i].name());
    ++deleted;
  }
  return deleted;
}

NightLog::NightLog(const Folder& folder) : file_(folder, kLog, AppendFile::Mode::Append) {}

void NightLog::add(std::string_view lines) {
  if (lines.ends_with('\n')) lines.remove_suffix(1);
  fmt::print("{}\n", lines);
  std::fflush(stdout);
  file_.appendLine(lines);
}

}  // namespace dmlcts

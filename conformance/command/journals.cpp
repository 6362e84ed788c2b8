#include "conformance/command/journals.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "conformance/run/environment.h"
#include "conformance/run/run_folder.h"
#include "conformance/run/runner.h"
#include "reference/counted.h"
#include "reports/compare/comparison.h"
#include "reports/journal/input_file.h"
#include "reports/render/writers.h"
#include "reports/summary/alike_cases.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

// Throws UsageError if a journal is given twice, even under two names or through a link.
void requireDistinct(const std::vector<std::string>& paths) {
  std::map<fs::path, std::string> seen;  // by canonical path
  std::vector<fs::path> linked;          // files with several hard links
  for (const std::string& name : paths) {
    const fs::path file = journalIn(name);
    if (!fs::is_regular_file(file)) continue;
    const auto [first, fresh] = seen.emplace(fs::canonical(file), name);
    if (!fresh)
      throw UsageError(fmt::format("{} and {} are the same journal", first->second, name));
    if (fs::hard_link_count(file) < 2) continue;
    for (const fs::path& other : linked) {
      if (!fs::equivalent(file, other)) continue;
      throw UsageError(
          fmt::format("{} and {} are the same journal", other.string(), file.string()));
    }
    linked.push_back(file);
  }
}

}  // namespace

fs::path journalIn(const std::string& name) {
  const fs::path path = pathOf(name);
  return fs::is_directory(path) ? path / "journal.jsonl" : path;
}

std::vector<std::string> runNames(const std::vector<std::string>& paths) {
  std::vector<fs::path> folders;
  for (const std::string& path : paths) {
    const fs::path file = fs::absolute(journalIn(path)).lexically_normal();
    folders.push_back(file.filename() == "journal.jsonl" ? file.parent_path()
                                                         : file.parent_path() / file.stem());
  }
  const std::vector<std::string> names = distinctNames(std::move(folders));
  return names.empty() ? paths : names;
}

std::string pageOf(const std::string& path, const fs::path& folder) {
  const fs::path page = fs::absolute(journalIn(path)).parent_path() / "index.html";
  if (journalIn(path).filename() != "journal.jsonl" || !fs::is_regular_file(page)) return "";
  return page.lexically_relative(fs::absolute(folder)).generic_string();
}

std::vector<fs::path> journalFiles(const std::vector<std::string>& paths) {
  requireDistinct(paths);
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    files.push_back(journalIn(path));
    const auto reports = reportFilesIn(files.back().parent_path());
    if (std::ranges::find(reports, files.back()) != reports.end()) {
      throw UsageError(files.back().string() +
                       " is a report: give journal.jsonl, of which it is made");
    }
    if (!fs::exists(files.back())) {
      throw UsageError(files.back().string() + ": there is no such journal");
    }
  }
  return files;
}

std::vector<Journal> readJournals(const std::vector<std::string>& paths) {
  AlikeCases alike;
  std::vector<Journal> journals;
  for (const fs::path& file : journalFiles(paths)) journals.push_back(readJournal(file, alike));
  return journals;
}

ReadJournal eachOf(const std::vector<std::string>& paths) {
  return [files = journalFiles(paths)](size_t index) {
    AlikeCases alike;
    return readJournal(files.at(index), alike);
  };
}

Report readReport(const std::vector<std::string>& paths, const fs::path& folder,
                  std::string_view command) {
  std::vector<Journal> journals = readJournals(paths);
  for (size_t i = 0; i < journals.size(); ++i) {
    const fs::path home = fs::absolute(journalIn(paths[i])).parent_path();
    for (JournalEntry& entry : journals[i].entries) {
      if (!hasBundle(entry, home)) {
        entry.bundle.clear();
        continue;
      }
      entry.bundle = (home / entry.bundle).lexically_relative(fs::absolute(folder)).string();
    }
  }
  Report report = summarize(std::move(journals));
  report.folder = fs::absolute(folder);
  if (!command.empty() && report.caseCount != report.cases.size()) {
    throw InputError(fmt::format("{} needs each case, and reports keep {} of a journal: it has {}",
                                 command, grouped(kMostWhole), grouped(report.caseCount)));
  }
  return report;
}

}  // namespace dmlcts

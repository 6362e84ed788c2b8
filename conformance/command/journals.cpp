#include "conformance/command/journals.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "conformance/run/environment.h"
#include "conformance/run/run_folder.h"
#include "conformance/run/runner.h"

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

std::vector<Journal> readJournals(const std::vector<std::string>& paths) {
  requireDistinct(paths);
  std::vector<Journal> journals;
  for (const std::string& path : paths) {
    const fs::path file = journalIn(path);
    if (!fs::exists(file)) throw UsageError(file.string() + ": there is no such journal");
    journals.push_back(readJournal(file));
  }
  return journals;
}

Report readReport(const std::vector<std::string>& paths, const fs::path& folder) {
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
  return summarize(std::move(journals));
}

}  // namespace dmlcts

#include "conformance/command/last_failed.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "conformance/cases/tiers.h"
#include "conformance/command/journals.h"
#include "conformance/run/case_file.h"
#include "conformance/run/environment.h"
#include "conformance/run/runner.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRepetitions = "last-failed";

// Throws where a received folder has a link in place of the repetition to be written, or of their
// folder.
void refuseLinks(const fs::path& folder, const std::string& repetition) {
  for (const fs::path& path : {folder / kRepetitions, folder / kRepetitions / repetition}) {
    if (fs::is_symlink(fs::symlink_status(path))) {
      throw UsageError(path.string() + " is a link, which is not followed");
    }
  }
}

// Returns the greatest N of `repetitions`/N, or 0.
uint32_t lastRepetition(const fs::path& repetitions) {
  uint32_t last = 0;
  std::error_code none;
  for (const auto& each : fs::directory_iterator(repetitions, none)) {
    const std::string name = each.path().filename().string();
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) last = std::max(last, number);
  }
  return last;
}

Journal readRun(const fs::path& file) {
  if (!fs::exists(file)) {
    throw UsageError(file.string() + ": there is no such journal, and so nothing that failed");
  }
  Journal journal = std::move(readJournals({file.string()}).front());
  if (journal.headers.empty()) throw UsageError(file.string() + " holds no run");
  return journal;
}

// Returns the latest run, by its last session, among a folder's run and its repetitions.
std::pair<fs::path, Journal> lastRun(const fs::path& folder, uint32_t repetitions) {
  std::pair<fs::path, Journal> last{folder / "journal.jsonl", {}};
  last.second = readRun(last.first);
  for (uint32_t i = 1; i <= repetitions; ++i) {
    const fs::path file = folder / kRepetitions / std::to_string(i) / "journal.jsonl";
    if (!fs::exists(file)) continue;
    Journal journal = readJournal(file);
    if (journal.headers.empty()) continue;
    // Times have whole seconds, so a later repetition wins a tie.
    if (journal.headers.back().startedAt >= last.second.headers.back().startedAt) {
      last = {file, std::move(journal)};
    }
  }
  return last;
}

std::unordered_set<std::string> failedIn(const Journal& journal) {
  std::unordered_set<std::string> failed;
  std::unordered_map<std::string, bool> judged;  // by case string; false while it has no verdict
  for (const JournalEntry& entry : journal.entries) {
    bool& any = judged[entry.caseString];
    any = any || entry.verdict != Verdict::InternalError;
    if (failsRun(entry.verdict)) failed.insert(entry.caseString);
  }
  for (const auto& [text, any] : judged) {
    if (!any) failed.insert(text);
  }
  return failed;
}

}  // namespace

LastFailed lastFailed(const std::string& given, const fs::path& folder, bool resume) {
  LastFailed result;
  Journal journal;
  if (!given.empty()) {
    result.journal = journalIn(given);
    result.folder = folder;
    journal = readRun(result.journal);
  } else {
    const fs::path repetitions = folder / kRepetitions;
    const uint32_t last = lastRepetition(repetitions);
    const std::string name = std::to_string(resume ? last : last + 1);
    result.folder = repetitions / name;
    refuseLinks(folder, name);
    if (resume) {
      result.journal = pathOf(readRun(result.folder / "journal.jsonl").headers.front().failedOf);
      journal = readRun(result.journal);
    } else {
      std::tie(result.journal, journal) = lastRun(folder, last);
    }
  }
  result.run = journal.headers.front();
  result.cases = failedIn(journal);
  if (result.cases.empty()) throw UsageError("no case failed in " + result.journal.string());
  if (result.run.tier.empty()) {
    std::stringstream texts;
    std::unordered_set<std::string_view> seen;
    for (const JournalEntry& entry : journal.entries) {
      const std::string& text = entry.caseString;
      if (result.cases.contains(text) && seen.insert(text).second) texts << text << "\n";
    }
    result.given = parseCases(texts, "the failed cases of " + result.journal.string());
  } else if (!parseTier(result.run.tier)) {
    throw UsageError(result.journal.string() +
                     " is of fuzzing, whose cases are of no tier: replay them");
  }
  return result;
}

}  // namespace dmlcts

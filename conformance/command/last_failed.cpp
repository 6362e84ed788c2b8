#include "conformance/command/last_failed.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <unordered_set>
#include <utility>
#include <variant>

#include "conformance/cases/plan_hash.h"
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

// A journal's sessions, and the cases that failed or never got a verdict, in file order.
struct EarlierRun {
  fs::path file;
  std::vector<JournalHeader> headers;
  std::vector<std::string> failed;
};

EarlierRun readRun(const fs::path& file) {
  if (!fs::exists(file)) {
    throw UsageError(file.string() + ": there is no such journal, and so nothing that failed");
  }
  EarlierRun run{file, {}, {}};
  std::unordered_set<std::string> seen, failed;
  std::unordered_set<uint64_t> judged;
  readJournal(file, [&](JournalLine line) {
    if (auto* header = std::get_if<JournalHeader>(&line)) run.headers.push_back(std::move(*header));
    const auto* entry = std::get_if<JournalEntry>(&line);
    if (!entry) return;
    const bool isOpen = entry->verdict == Verdict::InternalError;
    if (!isOpen) judged.insert(PlanHash::of(entry->caseString));
    if (failsRun(entry->verdict)) failed.insert(entry->caseString);
    if (!isOpen && !failsRun(entry->verdict)) return;
    if (seen.insert(entry->caseString).second) run.failed.push_back(entry->caseString);
  });
  std::erase_if(run.failed, [&](const std::string& each) {
    return !failed.contains(each) && judged.contains(PlanHash::of(each));
  });
  return run;
}

EarlierRun readBegunRun(const fs::path& file) {
  EarlierRun run = readRun(file);
  if (run.headers.empty()) throw UsageError(file.string() + " holds no run");
  return run;
}

// Returns the latest run, by its last session, among a folder's run and its repetitions.
EarlierRun lastRun(const fs::path& folder, uint32_t repetitions) {
  EarlierRun last = readBegunRun(folder / "journal.jsonl");
  for (uint32_t i = 1; i <= repetitions; ++i) {
    const fs::path file = folder / kRepetitions / std::to_string(i) / "journal.jsonl";
    if (!fs::exists(file)) continue;
    EarlierRun run = readRun(file);
    if (run.headers.empty()) continue;
    // Times have whole seconds, so a later repetition wins a tie.
    if (run.headers.back().startedAt >= last.headers.back().startedAt) last = std::move(run);
  }
  return last;
}

}  // namespace

LastFailed lastFailed(const std::string& given, const fs::path& folder, bool resume) {
  LastFailed result;
  EarlierRun run;
  if (!given.empty()) {
    result.folder = folder;
    run = readBegunRun(journalIn(given));
  } else {
    const fs::path repetitions = folder / kRepetitions;
    const uint32_t last = lastRepetition(repetitions);
    const std::string name = std::to_string(resume ? last : last + 1);
    result.folder = repetitions / name;
    refuseLinks(folder, name);
    run = resume ? readBegunRun(pathOf(
                       readBegunRun(result.folder / "journal.jsonl").headers.front().failedOf))
                 : lastRun(folder, last);
  }
  result.journal = run.file;
  result.run = run.headers.front();
  if (run.failed.empty()) throw UsageError("no case failed in " + result.journal.string());
  if (result.run.tier.empty()) {
    std::stringstream texts;
    for (const std::string& text : run.failed) texts << text << "\n";
    result.given = parseCases(texts, "the failed cases of " + result.journal.string());
  } else if (!parseTier(result.run.tier)) {
    throw UsageError(result.journal.string() +
                     " is of fuzzing, whose cases are of no tier: replay them");
  }
  result.cases.insert(run.failed.begin(), run.failed.end());
  return result;
}

}  // namespace dmlcts

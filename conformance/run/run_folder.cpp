#include "conformance/run/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <unordered_set>

#include "conformance/run/identity.h"
#include "conformance/run/runner.h"
#include "reports/journal/replace_file.h"
#include "reports/render/writers.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

// True if the error is about the user's path, not about the machine.
bool isPathError(const std::error_code& error) {
  constexpr std::array kOfThePath{std::errc::permission_denied,
                                  std::errc::operation_not_permitted,
                                  std::errc::read_only_file_system,
                                  std::errc::not_a_directory,
                                  std::errc::is_a_directory,
                                  std::errc::file_exists,
                                  std::errc::no_such_file_or_directory,
                                  std::errc::too_many_symbolic_link_levels,
                                  std::errc::filename_too_long,
                                  std::errc::invalid_argument,
                                  std::errc::operation_would_block,  // another process holds it
                                  std::errc::resource_unavailable_try_again};
  return std::ranges::any_of(kOfThePath, [&](std::errc each) { return error == each; });
}

[[noreturn]] void fail(const std::system_error& error) {
  if (isPathError(error.code())) throw UsageError(error.what());
  throw error;
}

void check(const std::error_code& error, const fs::path& path, const char* what) {
  if (error) fail(std::system_error(error, path.string() + ": " + what));
}

// Returns the file type, following links.
fs::file_type typeOf(const fs::path& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type != fs::file_type::not_found) check(error, path, "cannot be looked at");
  return type;
}

JournalWriter openJournal(const fs::path& file, AppendFile::Mode mode) {
  try {
    return JournalWriter(file, mode);
  } catch (const std::system_error& error) {
    fail(error);
  }
}

// Describes how two headers' runs differ.
std::optional<std::string> changeOf(const JournalHeader& before, const JournalHeader& now) {
  if (before.sawTarget() && now.sawTarget()) {
    if (const auto other = differenceOf(identityOf(now), identityOf(before))) {
      return "now the " + *other;
    }
  }
  std::optional<std::string> difference;
  const auto same = [&](std::string_view what, const auto& was, const auto& is) {
    if (!difference && was != is)
      difference = fmt::format("its {} is {}, now it is {}", what, was, is);
  };
  same("specification", before.specification, now.specification);
  same("strictness", before.strict, now.strict);
  same("mode", before.mode, now.mode);
  same("seed", before.seed, now.seed);
  same("shard count", before.shardCount, now.shardCount);
  same("shard", before.shardIndex, now.shardIndex);
  same("schedule", before.planHash, now.planHash);
  same("partition into shards", before.partitionHash, now.partitionHash);
  return difference;
}

bool isNumber(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

RunFolder::RunFolder(fs::path path, Start start, Keep keep)
    : path_(std::move(path)),
      journalFile_(path_ / "journal.jsonl"),
      journal_((requireRoom(start),
                openJournal(journalFile_, start == Start::New ? AppendFile::Mode::CreateNew
                                                              : AppendFile::Mode::Append))),
      resumes_(start == Start::Resume) {
  if (keep == Keep::AlikeCases) alike_.emplace();
  kept_.name = journalFile_.string();
}

void RunFolder::readEarlier(const std::function<void(const JournalEntry&)>& take) {
  if (!resumes_) return;
  try {
    readJournal(journalFile_, [&](JournalLine line) {
      const auto* entry = std::get_if<JournalEntry>(&line);
      if (entry && take) take(*entry);
      keep(std::move(line));
    });
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

void RunFolder::keep(JournalLine line) {
  auto* entry = std::get_if<JournalEntry>(&line);
  if (alike_ && entry) {
    covering_.add(*entry);
    alike_->add(kept_, std::move(*entry));
  } else {
    kept_.add(std::move(line));
  }
}

RunFolder::~RunFolder() {
  if (!begun_) journal_.discard();
}

// Throws UsageError unless such a run may use this folder. Does not change anything but creates the
// folder.
void RunFolder::requireRoom(Start start) const {
  const fs::file_type type = typeOf(path_);
  if (type != fs::file_type::not_found && type != fs::file_type::directory) {
    throw UsageError(path_.string() + ": is not a folder");
  }
  const fs::file_type journal = typeOf(journalFile_);
  if (journal == fs::file_type::not_found) {
    std::vector<fs::path> others = reportFilesIn(path_);
    if (typeOf(path_ / "bundles") != fs::file_type::not_found) others.push_back(path_ / "bundles");
    if (!others.empty() && start != Start::Overwrite) {
      throw UsageError(others.front().string() +
                       " is of a run whose journal is not here: --overwrite replaces it");
    }
  } else if (journal != fs::file_type::regular) {
    throw UsageError(journalFile_.string() + ": is not a file");
  } else if (start == Start::New) {
    throw UsageError(journalFile_.string() +
                     " holds an earlier run: --resume continues it, --overwrite starts anew");
  }
  std::error_code error;
  fs::create_directories(path_, error);
  check(error, path_, "cannot be created");
}

void RunFolder::begin(const JournalHeader& header, const std::unordered_set<std::string>& bundles) {
  if (const auto difference = whyAnotherRun(kept_, header)) {
    throw UsageError(journalFile_.string() + " is the journal of another run: " + *difference);
  }
  // A journal cut within its first line is empty: there is nothing to resume.
  if (kept_.headers.empty()) {
    removeReportFiles(path_);
    fs::remove_all(path_ / "bundles");
    journal_.clear();
  } else {
    removeLeftovers(bundles);
  }
  keep(journal_.begin(header));
  begun_ = true;
}

// Removes half-written files of a killed run, and bundles of cases that run again.
void RunFolder::removeLeftovers(const std::unordered_set<std::string>& bundles) const {
  if (!fs::exists(path_ / "bundles")) return;
  std::vector<fs::path> leftovers;
  for (const auto& bundle : fs::directory_iterator(path_ / "bundles")) {
    const std::string name = bundle.path().filename().string();
    if (name.ends_with(kPartial) || (isNumber(name) && !bundles.contains("bundles/" + name))) {
      leftovers.push_back(bundle.path());
      continue;
    }
    std::error_code noFolder;
    for (const auto& each : fs::directory_iterator(bundle.path(), noFolder)) {
      if (each.path().string().ends_with(kPartial)) leftovers.push_back(each.path());
    }
  }
  for (const fs::path& leftover : leftovers) fs::remove_all(leftover);
}

void RunFolder::write(JournalEntry entry) {
  texts_.fit(entry);
  keep(journal_.write(std::move(entry)));
}

void RunFolder::write(JournalWorkerFailure workerFailure) {
  texts_.fit(workerFailure);
  keep(journal_.write(std::move(workerFailure)));
}

Report RunFolder::writeReports() {
  journal_.sync();
  for (JournalEntry& entry : kept_.entries) {
    if (!hasBundle(entry, path_)) entry.bundle.clear();
  }
  std::vector<Journal> journals;
  journals.push_back(std::move(kept_));
  Report report = summarize(std::move(journals));
  if (alike_) report.measuredCoverage = measureCoverage(covering_.get());
  writeReportFiles(path_, report);
  return report;
}

bool hasBundle(const JournalEntry& entry, const fs::path& home) {
  std::error_code none;
  return !entry.bundle.empty() && fs::exists(home / entry.bundle / "case.txt", none);
}

std::optional<std::string> whyAnotherRun(const Journal& journal, const JournalHeader& now) {
  for (const JournalHeader& before : journal.headers) {
    if (auto difference = changeOf(before, now)) return difference;
  }
  return std::nullopt;
}

void writeReportsInto(const fs::path& folder, const Report& report, bool overwrite) {
  const std::vector<fs::path> there = reportFilesIn(folder);
  if (!there.empty() && !overwrite) {
    throw UsageError(there.front().string() + " is there already: --overwrite replaces it");
  }
  try {
    std::optional<AppendFile> journal;  // throws while a run is active there
    const fs::path file = folder / "journal.jsonl";
    if (fs::exists(file)) journal.emplace(file, AppendFile::Mode::Append);
    writeReportFiles(folder, report);
  } catch (const std::system_error& error) {
    fail(error);
  }
}

}  // namespace dmlcts

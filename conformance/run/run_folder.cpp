#include "conformance/run/run_folder.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "conformance/run/runner.h"
#include "conformance/run/target_identity.h"
#include "reports/render/writers.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJournal = "journal.jsonl";

// Returns the file type, following links.
fs::file_type typeOf(const fs::path& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (error && type != fs::file_type::not_found) {
    throw std::system_error(error, path.string() + ": cannot be looked at");
  }
  return type;
}

std::string orNone(const std::string& text) { return text.empty() ? "none" : text; }

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
  if (before.planHash != now.planHash) {
    same("tier", orNone(before.tier), orNone(now.tier));
    same("file of cases", orNone(before.caseFile), orNone(now.caseFile));
    same("level", orNone(before.levelFilter), orNone(now.levelFilter));
  }
  same("shard count", before.shardCount, now.shardCount);
  same("shard", before.shardIndex, now.shardIndex);
  same("schedule", before.planHash, now.planHash);
  same("partition into shards", before.partitionHash, now.partitionHash);
  return difference;
}

// True for the journal of a run that never had a worker, so no case ran.
bool ranNothing(const fs::path& journal) {
  bool hasHeader = false;
  bool ranAny = false;
  try {
    readJournal(journal, [&](JournalLine line) {
      const auto* header = std::get_if<JournalHeader>(&line);
      const auto* entry = std::get_if<JournalEntry>(&line);
      hasHeader = hasHeader || header;
      ranAny = ranAny || (header && header->sawTarget()) ||
               (entry && entry->verdict != Verdict::InternalError);
    });
    return hasHeader && !ranAny;
  } catch (const std::runtime_error&) {  // no journal
    return false;
  }
}

// Opens the folder if such a run may use it; creates it. A New run becomes an Overwrite of one that
// ran nothing. Throws UsageError.
Folder openWithRoom(const fs::path& path, RunFolder::Start& start) {
  using Start = RunFolder::Start;
  const fs::file_type type = typeOf(path);
  if (type != fs::file_type::not_found && type != fs::file_type::directory) {
    throw UsageError(path.string() + ": is not a folder");
  }
  const fs::path journalFile = path / kJournal;
  const fs::file_type journal = typeOf(journalFile);
  if (journal == fs::file_type::not_found) {
    std::vector<fs::path> others = reportFilesIn(path);
    if (typeOf(path / "bundles") != fs::file_type::not_found) others.push_back(path / "bundles");
    if (!others.empty() && start != Start::Overwrite) {
      throw UsageError(others.front().string() +
                       " is of a run whose journal is not here: --overwrite replaces it");
    }
  } else if (journal != fs::file_type::regular) {
    throw UsageError(journalFile.string() + ": is not a file");
  } else if (start == Start::New) {
    if (!ranNothing(journalFile)) {
      throw UsageError(journalFile.string() +
                       " has an earlier run: --resume continues it, --overwrite replaces it");
    }
    start = Start::Overwrite;
  }
  return Folder(path);
}

bool isNumber(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

RunFolder::RunFolder(const fs::path& path, Start start)
    : folder_(openWithRoom(path, start)),
      journalFile_(path / kJournal),
      journal_(folder_, kJournal,
               start == Start::New      ? AppendFile::Mode::CreateNew
               : start == Start::Resume ? AppendFile::Mode::Append
                                        : AppendFile::Mode::Replace),
      resumes_(start == Start::Resume) {
  kept_.name = journalFile_.string();
}

void RunFolder::readEarlier(const std::function<void(const JournalEntry&)>& take) {
  if (!resumes_) return;
  try {
    kept_.cutLine = readJournal(journalFile_, [&](JournalLine line) {
      const auto* entry = std::get_if<JournalEntry>(&line);
      if (entry) take(*entry);
      alike_.add(kept_, std::move(line));
    });
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

RunFolder::~RunFolder() {
  if (!begun_) journal_.discard();
}

void RunFolder::begin(const JournalHeader& header, const std::unordered_set<std::string>& bundles) {
  if (const auto difference = whyAnotherRun(kept_, header)) {
    throw UsageError(journalFile_.string() + " is the journal of another run: " + *difference);
  }
  // A journal cut within its first line is empty: there is nothing to resume.
  const bool continues = !kept_.headers.empty();
  if (continues) {
    removeLeftovers(bundles);
  } else {
    removeReportFiles(folder_);
    folder_.removeFolder("bundles");
    journal_.clear();
  }
  next_ = header;
  if (!continues || kept_.cutLine) beginPart();
  begun_ = true;
}

void RunFolder::beginPart() {
  if (!next_) return;
  kept_.add(journal_.begin(*std::exchange(next_, std::nullopt)));
  kept_.cutLine.reset();
}

// Removes half-written files of a killed run, and bundles of cases that run again.
void RunFolder::removeLeftovers(const std::unordered_set<std::string>& bundles) const {
  folder_.removeLeftovers();
  if (!folder_.has("bundles")) return;
  const Folder all = folder_.within("bundles");
  all.removeLeftovers();
  for (const std::string& name : all.names()) {
    if (isNumber(name) && !bundles.contains("bundles/" + name)) {
      all.removeFolder(name);
    } else if (fs::is_directory(fs::symlink_status(all.path() / name))) {
      all.within(name).removeLeftovers();
    }
  }
}

void RunFolder::write(JournalEntry entry) {
  texts_.fit(entry);
  beginPart();
  alike_.add(kept_, journal_.write(std::move(entry)));
}

void RunFolder::write(JournalWorkerFailure workerFailure) {
  texts_.fit(workerFailure);
  beginPart();
  kept_.add(journal_.write(std::move(workerFailure)));
}

void RunFolder::write(const JournalInvestigation& investigation) {
  beginPart();
  kept_.add(journal_.write(investigation));
}

void RunFolder::write(const JournalBundle& bundle) {
  beginPart();
  kept_.add(journal_.write(bundle));
}

Report RunFolder::summarize() {
  journal_.sync();
  kept_.nameBundles();
  for (JournalEntry& entry : kept_.entries) {
    if (!hasBundle(entry, path())) entry.bundle.clear();
  }
  std::vector<Journal> journals;
  journals.push_back(std::move(kept_));
  Report report = dmlcts::summarize(std::move(journals));
  report.folder = path();
  return report;
}

void RunFolder::writeReports(const Report& report) {
  journal_.sync();
  writeReportFiles(folder_, report);
}

bool hasBundle(const JournalEntry& entry, const fs::path& home) {
  std::error_code none;
  return !entry.bundle.empty() && fs::is_directory(home / entry.bundle, none);
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
  const Folder opened(folder);
  std::optional<AppendFile> journal;  // throws while a run is active there
  if (opened.has(kJournal)) journal.emplace(opened, kJournal, AppendFile::Mode::Append);
  writeReportFiles(opened, report);
}

}  // namespace dmlcts

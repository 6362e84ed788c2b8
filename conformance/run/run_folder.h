#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>

#include "reports/journal/alike_cases.h"
#include "reports/journal/journal.h"
#include "reports/summary/summary.h"

namespace dmlcts {

// The folder of a run: journal, bundles and reports. This process alone has it, from the
// constructor to the destructor; a kill at any moment leaves a folder that Start::Resume can
// continue:
//
//   - A folder with a journal belongs to one run. Old reports and bundles are deleted before the
//   old journal.
//   - Bundles and reports are written beside and renamed, and a case's bundle is there before the
//     line that names it. What nothing names is deleted by the next run.
class RunFolder {
 public:
  enum class Start {
    New,        // there must be no run, nor reports or bundles of any
    Resume,     // the same, or a journal to go on with
    Overwrite,  // whatever run is there is deleted
  };

  // What reports are made from: every case, or as AlikeCases keeps them.
  enum class Keep { EveryCase, AlikeCases };

  // Creates the folder where there is none, and locks its journal. Nothing that is there changes
  // before begin(). Throws UsageError where `start` does not allow what is there, another process
  // is at work on it, or no run can lie there; std::system_error.
  RunFolder(std::filesystem::path path, Start start, Keep keep = Keep::EveryCase);

  // A journal that did not begin is deleted, if it is new.
  ~RunFolder();

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& journalFile() const { return journalFile_; }

  // Reads what Resume goes on from. `again` says of each verdict whether it is about a case that
  // has one. Throws UsageError where it is no journal.
  void readEarlier(const std::function<bool(const JournalEntry&)>& again = {});

  // What has been read and written; of many cases, as `keep` says.
  const Journal& journal() const { return kept_; }

  // Deletes what has to go, and begins the journal, or a further part of it. Throws UsageError,
  // naming what differs, where what there is to go on from is of another run; then nothing changes.
  void begin(const JournalHeader& header);

  // `again`: the verdict is about a case that has one.
  void write(const JournalEntry& entry, bool again = false);
  void write(const JournalWorkerFailure& workerFailure);

  // Makes all reports from what is in the journal, once.
  Report writeReports();

 private:
  void requireRoom(Start start) const;
  void removeLeftovers() const;
  void keep(JournalLine line, bool again);

  std::filesystem::path path_;
  std::filesystem::path journalFile_;
  JournalWriter journal_;
  bool resumes_;
  std::optional<AlikeCases> alike_;
  Journal kept_;
  std::unordered_set<std::string> bundles_;  // that the earlier run's journal names
  bool begun_ = false;
};

// How the run of a journal differs from one with the header `now`, as text: "now the driver is …".
// Nothing where it can go on as that.
std::optional<std::string> whyAnotherRun(const Journal& journal, const JournalHeader& now);

// Writes reports into a folder, in which reports are only replaced with `overwrite`, a journal and
// bundles never. Throws UsageError where that cannot be, also while a run is at work there;
// std::system_error.
void writeReportsInto(const std::filesystem::path& folder, const Report& report, bool overwrite);

}  // namespace dmlcts

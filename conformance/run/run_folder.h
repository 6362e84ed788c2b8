#pragma once

#include <filesystem>
#include <optional>
#include <string>

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

  // Creates the folder where there is none, locks its journal, and reads what Resume goes on from.
  // Nothing that is there changes before begin(). Throws UsageError where `start` does not allow
  // what is there, another process is at work on it, or no run can lie there; std::system_error.
  RunFolder(std::filesystem::path path, Start start);

  // A journal that did not begin is deleted, if it is new.
  ~RunFolder();

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& journalFile() const { return journalFile_; }

  // What there is to go on from: without headers if nothing.
  const Journal& earlier() const { return earlier_; }

  // Deletes what has to go, and begins the journal, or a further part of it. Throws UsageError,
  // naming what differs, where what there is to go on from is of another run; then nothing changes.
  void begin(const JournalHeader& header);

  void write(const JournalEntry& entry) { journal_.write(entry); }
  void write(const JournalMishap& mishap) { journal_.write(mishap); }

  // Reads the journal and makes all reports from it.
  Report writeReports();

 private:
  void requireRoom(Start start) const;
  void removeLeftovers() const;

  std::filesystem::path path_;
  std::filesystem::path journalFile_;
  JournalWriter journal_;
  Journal earlier_;
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

#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>

#include "gpu/wire/utf8.h"
#include "reports/journal/journal.h"
#include "reports/summary/alike_cases.h"
#include "reports/summary/summary.h"

namespace dmlcts {

// Limits the text of workers in a journal: a target that says much must fill neither the disk nor
// memory. A text keeps its first KiB; what it has beyond, up to 16 KiB, and all stderr take from
// the 8 MiB of a run.
class TextBudget {
 public:
  void fit(JournalEntry& entry) {
    keepBegin(entry.message);
    for (std::string& attempt : entry.attempts) keepBegin(attempt);
    keepEnd(entry.workerStderr);
  }
  void fit(JournalWorkerFailure& workerFailure) {
    keepBegin(workerFailure.message);
    keepEnd(workerFailure.workerStderr);
  }

 private:
  static constexpr size_t kAlwaysKept = 1024;
  static constexpr size_t kMostOfAText = 16 * 1024;

  void keepBegin(std::string& text) {
    if (text.size() <= kAlwaysKept) return;
    size_t end = kAlwaysKept + std::min(text.size() - kAlwaysKept, most());
    if (end < text.size()) {
      while (end > 0 && continuesCodePoint(text[end])) --end;
      text = text.substr(0, end) + "… " + std::to_string(text.size() - end) + " bytes not kept";
    }
    left_ -= std::min(left_, end - std::min(end, kAlwaysKept));
  }

  void keepEnd(std::string& text) {
    if (text.size() > most()) {
      size_t cut = text.size() - most();
      while (cut < text.size() && continuesCodePoint(text[cut])) ++cut;
      text = std::to_string(cut) + " bytes not kept …" + text.substr(cut);
    }
    left_ -= std::min(left_, text.size());
  }

  size_t most() const { return std::min(kMostOfAText, left_); }

  size_t left_ = 8 * 1024 * 1024;
};

// The folder of a run: journal, bundles and reports. This process has exclusive use of it for the
// object's lifetime. A kill at any moment leaves a folder that Start::Resume can continue:
//
//   - A folder with a journal belongs to one run. Old reports and bundles are deleted before the
//   old journal.
//   - Bundles and reports are written beside and renamed, and a bundle is on the disk before the
//     line that names it. A bundle that a line names may be gone, where a later session found other
//     causes: reports name those that are there.
class RunFolder {
 public:
  enum class Start {
    New,        // the folder must not have a run of any case, nor other reports or bundles
    Resume,     // like New, or continues an existing journal
    Overwrite,  // deletes any existing run
  };

  // Creates the folder if necessary and locks its journal. Changes no existing file before begin().
  // Throws UsageError if `start` does not allow the contents, or no run can be there; InputError
  // if another process uses the folder or its journal is a link; std::system_error.
  RunFolder(const std::filesystem::path& path, Start start);

  // Deletes a new journal that did not begin.
  ~RunFolder();

  const std::filesystem::path& path() const { return folder_.path(); }
  const Folder& folder() const { return folder_; }
  const std::filesystem::path& journalFile() const { return journalFile_; }

  // Reads what Resume goes on from, and hands each verdict to `take`. Throws UsageError where it is
  // no journal.
  void readEarlier(const std::function<void(const JournalEntry&)>& take);

  // Everything read and written, as AlikeCases keeps it.
  const Journal& journal() const { return kept_; }

  // Deletes what has to go, also numbered bundles that are not among `bundles`, and begins the
  // journal. A journal that is continued gets its next header with its next line, so that a run
  // that is over keeps its journal as it is. Throws UsageError, naming what differs, where what
  // there is to go on from is of another run; then nothing changes.
  void begin(const JournalHeader& header, const std::unordered_set<std::string>& bundles = {});

  // Journals a line, its texts cut to the run's budget.
  void write(JournalEntry entry);
  void write(JournalWorkerFailure workerFailure);
  void write(const JournalInvestigation& investigation);
  void write(const JournalBundle& bundle);

  // Makes the report from the journal. Call once, then write no verdict.
  Report summarize();

  // Writes the report in all its forms.
  void writeReports(const Report& report);

 private:
  void removeLeftovers(const std::unordered_set<std::string>& bundles) const;
  void beginPart();

  Folder folder_;
  std::filesystem::path journalFile_;
  JournalWriter journal_;
  TextBudget texts_;
  bool resumes_;
  AlikeCases alike_;
  Journal kept_;
  std::optional<JournalHeader> next_;  // of the part that the next line begins
  bool begun_ = false;
};

// True if the bundle that the entry names is there; `home`: the folder of its journal.
bool hasBundle(const JournalEntry& entry, const std::filesystem::path& home);

// Returns how a journal's run differs from one with the header `now`: "now the driver is …".
// Nothing where it can go on as that.
std::optional<std::string> whyAnotherRun(const Journal& journal, const JournalHeader& now);

// Writes reports into a folder. Replaces existing reports only with `overwrite`, and never a
// journal or bundles. Throws UsageError if that is impossible, InputError if a run is active there;
// std::system_error.
void writeReportsInto(const std::filesystem::path& folder, const Report& report, bool overwrite);

}  // namespace dmlcts

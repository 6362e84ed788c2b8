#pragma once

#include <filesystem>
#include <string>
#include <unordered_set>

#include "reports/journal/journal.h"

// `dmlcts run --last-failed`: the cases that failed in an earlier run, whose journal is only read.

namespace dmlcts {

struct LastFailed {
  std::filesystem::path journal;          // of the earlier run
  JournalHeader run;                      // its first header
  std::unordered_set<std::string> cases;  // that failed, or never got a verdict; by case string
  std::filesystem::path folder;           // for the new run
};

// Of the journal (or the folder that holds it) that `given` names: the new run goes to `folder`.
// Where `given` is "", of the last run in `folder`, which may be such a repetition itself: the new
// run goes to a folder of its own, `folder`/last-failed/N. With `resume` that is the one with the
// greatest N, and the journal the one that it repeats. Throws UsageError where there is no such
// journal, nothing failed in it, or it is of no tier; InputError where it is damaged.
LastFailed lastFailed(const std::string& given, const std::filesystem::path& folder, bool resume);

}  // namespace dmlcts

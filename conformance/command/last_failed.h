#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "conformance/cases/case.h"
#include "reports/journal/journal.h"

// `dmlcts run --last-failed`: repeats the cases that failed in an earlier run, whose journal stays
// unchanged.

namespace dmlcts {

struct LastFailed {
  std::filesystem::path journal;           // of the earlier run
  JournalHeader run;                       // its first header
  std::unordered_set<std::string> cases;   // case strings that failed or never got a verdict
  std::filesystem::path folder;            // for the new run
  std::optional<std::vector<Case>> given;  // the failed cases, if their run was of no tier
};

// Reads the failed cases of the journal (or its folder) that `given` names; the new run goes to
// `folder`. If `given` is "", repeats the last run in `folder`, which may itself be a repetition,
// into the new folder `folder`/last-failed/N. `resume` then continues the greatest N, with the
// journal that it repeats. Throws UsageError if there is no such journal, nothing failed in it, or
// it has no tier; InputError if it is damaged.
LastFailed lastFailed(const std::string& given, const std::filesystem::path& folder, bool resume);

}  // namespace dmlcts

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/journal/journal.h"
#include "reports/summary/summary.h"

// Journals as a command line names them: each a file, or the folder that holds it.

namespace dmlcts {

std::filesystem::path journalIn(const std::string& name);

// Returns a distinct name for each run: the last folder on its journal's path that differs, so
// that of "nights/a/run" and "nights/b/run" is "a" and "b"; the whole paths if none tells them
// apart.
std::vector<std::string> runNames(const std::vector<std::string>& paths);

// Returns the path of a run's own page from a folder; "" if there is none.
std::string pageOf(const std::string& path, const std::filesystem::path& folder);

// Returns the files. Throws UsageError if a journal is missing or given twice (even under two names
// or through a link).
std::vector<std::filesystem::path> journalFiles(const std::vector<std::string>& paths);

// Read the journals reduced as AlikeCases does, those of one report together. Throw as above,
// InputError if one is damaged.
std::vector<Journal> readJournals(const std::vector<std::string>& paths);
ReadJournal eachOf(const std::vector<std::string>& paths);

// Reads the journals into a report for `folder`: bundle paths become relative to it. Throws
// InputError if it lists only some cases and `command` needs all.
Report readReport(const std::vector<std::string>& paths, const std::filesystem::path& folder,
                  std::string_view command = {});

}  // namespace dmlcts

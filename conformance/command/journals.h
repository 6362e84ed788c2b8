#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/journal/journal.h"
#include "reports/summary/summary.h"

// Journals as a command line names them: each a file, or the folder that holds it.

namespace dmlcts {

std::filesystem::path journalIn(const std::string& name);

// Throws UsageError if a journal is missing or given twice (even under two names or through a
// link), InputError if one is damaged.
std::vector<Journal> readJournals(const std::vector<std::string>& paths);

// Reads the journals into a report for `folder`: bundle paths become relative to it.
Report readReport(const std::vector<std::string>& paths, const std::filesystem::path& folder);

}  // namespace dmlcts

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/journal/journal.h"
#include "reports/summary/summary.h"

// Journals as a command line names them: each a file, or the folder that holds it.

namespace dmlcts {

std::filesystem::path journalIn(const std::string& name);

// Throws UsageError when one does not exist or is given twice (also by two names or through a
// link), InputError when one is damaged.
std::vector<Journal> readJournals(const std::vector<std::string>& paths);

// The same as a report that is to lie in `folder`: bundles are named relative to it.
Report readReport(const std::vector<std::string>& paths, const std::filesystem::path& folder);

}  // namespace dmlcts

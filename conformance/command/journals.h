#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/journal/journal.h"

// Journals as a command line names them: each a file, or the folder that holds it.

namespace dmlcts {

std::filesystem::path journalIn(const std::string& name);

// Throws UsageError where there is none, or one is given twice (by two names, or as a link to it,
// too), and InputError where one is damaged.
std::vector<Journal> readJournals(const std::vector<std::string>& paths);

}  // namespace dmlcts

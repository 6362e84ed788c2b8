#pragma once

#include <cstddef>
#include <vector>

#include "reports/journal/journal.h"

// Invented journals, for tests of the reports and for work on the page.

namespace dmlcts {

// Makes `shards` journals with about `cases` cases in all, of GATHER_ND and NONZERO_COORDINATES at
// several levels. They have every verdict, and strings meant to break out of each format.
std::vector<Journal> sampleJournals(size_t cases, uint32_t shards = 1);

// Strings that are hostile to JSON in HTML, XML, Markdown or a terminal.
const std::vector<std::string>& hostileStrings();

}  // namespace dmlcts

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/language/case.h"
#include "reports/journal/journal.h"
#include "reports/summary/summary.h"

// Invented journals, for tests of the reports and for work on the page.

namespace dmlcts {

// Makes `shards` journals with about `cases` cases in all, of GATHER_ND and NONZERO_COORDINATES at
// several levels. They have every verdict, and strings meant to break out of each format.
std::vector<Journal> sampleJournals(size_t cases, uint32_t shards = 1);

// Returns every second case of the smoke tier, passed.
const std::vector<std::pair<Case, JournalEntry>>& passedCases();

// Returns a case that executes GATHER_ND at 4.0.
JournalEntry executed(std::string caseString, Verdict verdict, double seconds = 0);

// Returns the journal of one session that planned these cases, of which the header's tier consists;
// more if the header says so. The target is "d3d12" if it has none.
Journal journalOf(std::vector<JournalEntry> entries, JournalHeader header = {});

// Throw std::logic_error if the report has no such row.
const ComplianceRow& levelOf(const Report& report, std::string_view op, std::string_view level);
const RuleRow& ruleOf(const Report& report, std::string_view id);

// Strings that are hostile to JSON in HTML, XML, Markdown or a terminal.
const std::vector<std::string>& hostileStrings();

}  // namespace dmlcts

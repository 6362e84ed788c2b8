#pragma once

#include <string_view>

#include "fuzz/campaign.h"
#include "fuzz/subject.h"
#include "reports/journal/journal.h"

// Journal lines of a fuzz run.

namespace dmlcts {

inline constexpr std::string_view kSequence = "sequence";  // a program's, in place of an operator

JournalHeader makeHeader(const FuzzOptions& options, const gpu::Identity& identity);

// `prepared`: the case as it was sent, or null.
JournalEntry makeEntry(const Subject& subject, std::string_view family,
                       const PreparedCase* prepared);

// Returns the case or program of an entry.
Subject subjectOf(const JournalEntry& entry);

}  // namespace dmlcts

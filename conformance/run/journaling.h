#pragma once

#include <string>

#include "conformance/run/lane.h"
#include "conformance/run/schedule.h"
#include "reports/journal/journal.h"

// Journal lines for a run and its cases.

namespace dmlcts {

JournalHeader makeHeader(const ScheduleOptions& options, const Schedule& schedule,
                         const gpu::Identity& identity, Strictness strictness,
                         const std::string& commandLine);

// Returns the part of a verdict line that does not depend on the verdict.
JournalEntry describe(const Case& testCase, const PreparedCase& prepared);

JournalEntry makeEntry(const ScheduledCase& planned, const CaseOutcome& outcome);

}  // namespace dmlcts

#pragma once

#include <string>

#include "conformance/run/lane/lane.h"
#include "conformance/run/schedule.h"
#include "gpu/target.h"
#include "reports/journal/journal.h"

// Makes journal lines. In go a run's header, or a case of the schedule with its CaseOutcome; out
// come a JournalHeader, or a JournalEntry: the outcome's judgement with a description of the case.
// The runner, fuzz and selftest call it, then write the line (run_folder.h).

namespace dmlcts {

JournalHeader makeHeader(const ScheduleOptions& options, const Schedule& schedule,
                         const gpu::Identity& identity, Strictness strictness,
                         const std::string& commandLine);

// Describes the case, without its case string and judgement.
JournalEntry describe(const Case& testCase, const PreparedCase& prepared);

JournalEntry makeEntry(const ScheduledCase& planned, const CaseOutcome& outcome);

}  // namespace dmlcts

#pragma once

#include <optional>
#include <string>

#include "conformance/run/lane/lane.h"
#include "conformance/run/schedule.h"
#include "gpu/target.h"
#include "reports/journal/journal.h"

// Journal lines for a run and its cases.

namespace dmlcts {

JournalHeader makeHeader(const ScheduleOptions& options, const Schedule& schedule,
                         const gpu::Identity& identity, Strictness strictness,
                         const std::string& commandLine);

// Returns the part of a verdict line that does not depend on the verdict.
JournalEntry describe(const Case& testCase, const PreparedCase& prepared);

// Copies all of it.
void setJudgement(JournalEntry& entry, const Judgement& judgement);

JournalEntry makeEntry(const ScheduledCase& planned, const CaseOutcome& outcome);

// Identities of targets, in workers and in journals.

void setIdentity(JournalHeader& header, const gpu::Identity& identity);
gpu::Identity identityOf(const JournalHeader& header);

// Describes the first difference: `adapter is "A", not "B"`. Nothing if they are equal.
std::optional<std::string> differenceOf(const gpu::Identity& now, const gpu::Identity& before);

}  // namespace dmlcts

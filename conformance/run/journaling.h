#pragma once

#include <string>

#include "conformance/run/lane.h"
#include "conformance/run/plan.h"
#include "reports/journal/journal.h"

// What a journal says of a run and its cases.

namespace dmlcts {

JournalHeader makeHeader(const PlanOptions& options, const RunPlan& plan,
                         const gpu::Identity& identity, const std::string& commandLine);

JournalEntry makeEntry(const PlannedCase& planned, const CaseOutcome& outcome);

}  // namespace dmlcts

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/summary/summary.h"

namespace dmlcts {

// Returns the limit that a NotSupported message names: sizes, which differ from case to case, are
// `*`. Also a pattern for an expectation's message.
std::string limitOf(std::string_view message);

// Returns what a run left out, with reasons: shards, tiers, levels, unsupported features, rules
// that no test can check. Reads all of the report except `notRun`.
std::vector<NotRun> findNotRun(const Report& report);

// Groups the waived cases by reason, the part of the message before the verdict; most cases first.
std::vector<Waiver> findWaivers(const std::vector<JournalEntry>& cases);

}  // namespace dmlcts

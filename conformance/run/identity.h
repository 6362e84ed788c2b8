#pragma once

#include <optional>
#include <string>

#include "gpu/target.h"
#include "reports/journal/journal.h"

// Identities of targets, in workers and in journals.

namespace dmlcts {

void setIdentity(JournalHeader& header, const gpu::Identity& identity);
gpu::Identity identityOf(const JournalHeader& header);

// Describes the first difference: `adapter is "A", not "B"`. Nothing if they are equal.
std::optional<std::string> differenceOf(const gpu::Identity& now, const gpu::Identity& before);

}  // namespace dmlcts

#pragma once

#include <optional>
#include <string>

#include "gpu/target.h"
#include "reports/journal/journal.h"

// Who was tested, between workers and journals.

namespace dmlcts {

void setIdentity(JournalHeader& header, const gpu::Identity& identity);
gpu::Identity identityOf(const JournalHeader& header);

// How the two differ, as text: `adapter is "A", not "B"`. Nothing when they are the same.
std::optional<std::string> differenceOf(const gpu::Identity& now, const gpu::Identity& before);

}  // namespace dmlcts

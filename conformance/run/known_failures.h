#pragma once

#include <span>
#include <string>

#include "reports/journal/journal.h"

namespace dmlcts {

// The text of an expectations file (see expectations.h) that waives exactly what failed in the
// journals: an entry for each failed case (with a verdict in kExpectable) and each target and
// driver that it failed on, or several where kinds need their own, in the journals' order. Bounds
// are what was seen; the reason is the verdict's message. Throws InputError for a journal of
// version 1 with a Fail, which does not say of what kind it was.
std::string knownFailures(std::span<const Journal> journals);

}  // namespace dmlcts

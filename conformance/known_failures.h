#pragma once

#include <span>
#include <string>

#include "reports/journal.h"

namespace dmlcts {

// The text of an expectations file (see expectations.h) that waives exactly what failed in the
// journals: one entry per failed case (Fail, Crash, Timeout, DeviceRemoved, Vacuous) and per target
// and driver that it failed on, in the journals' order. The reason is the verdict's message.
std::string knownFailures(std::span<const Journal> journals);

}  // namespace dmlcts

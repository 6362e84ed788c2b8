#pragma once

#include <span>
#include <string>

#include "reports/journal/journal.h"

namespace dmlcts {

// Returns an expectations file (expectations.h) that waives exactly the failures in the journals
// whose verdict is in kExpectable. There is one entry per fault (conformance/cases/explanation.h),
// target, shader model, driver and implementation. A fault gets several entries if its cases test
// different rules or kinds need their own. It says "sometimes" if not all of its cases fail.
// Unexplained and flaky cases get an entry each.
//
// Entries common to several versions are merged, with a version range in "when": up to the first
// version that passes, or the newest that was run. Bounds are observed maxima. Throws InputError
// for a Fail without a kind.
std::string knownFailures(std::span<const Journal> journals);

}  // namespace dmlcts

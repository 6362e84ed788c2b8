#pragma once

#include <span>
#include <string>

#include "reports/journal/journal.h"

namespace dmlcts {

// The text of an expectations file (see expectations.h) that waives exactly what failed in the
// journals, with a verdict in kExpectable: for each target, shader model, driver and implementation
// an entry for each fault (conformance/cases/explanation.h), or several where its cases test
// different rules or kinds need their own; where not every case of a fault fails, it says
// "sometimes". An entry for each case that no fault explains, and each flaky one. What several
// versions have in common is one entry, whose "when" has the range of them: up to the first that
// passes, or the newest that was run. Bounds are what was seen. Throws InputError for a Fail that
// does not say of what kind it was.
std::string knownFailures(std::span<const Journal> journals);

}  // namespace dmlcts

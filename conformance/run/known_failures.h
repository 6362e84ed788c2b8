#pragma once

#include <span>
#include <string>

#include "reports/journal/journal.h"

namespace dmlcts {

// The text of an expectations file (see expectations.h) that waives exactly what failed in the
// journals, with a verdict in kExpectable: for each target, driver and implementation an entry for
// each fault (conformance/cases/explanation.h), or several where its cases test different rules or
// kinds need their own; where not every case of a fault fails, it says "sometimes". An entry for
// each case that no fault explains, and each flaky one. Where every journal of a target has the
// same entry, it is one, for all versions from the lowest through the highest. Bounds are what was
// seen. Throws InputError for a journal of version 1 with a Fail, which does not say of what kind
// it was.
std::string knownFailures(std::span<const Journal> journals);

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <vector>

#include "conformance/cases/facts/parameter_space.h"

namespace dmlcts {

// Returns a mixed-level covering array of the parameter space: every possible combination of values
// of any `strength` parameters (2 or 3) occurs in some row. Uses IPOG (Lei, Kacker, Kuhn, Okun,
// Lawrence, "IPOG: a general strategy for t-way software testing", 2007): one parameter at a time,
// horizontally, then vertically, within the constraints of parameter_space.h. The same on every
// platform.
std::vector<Labels> coveringArray(uint32_t strength, const Domain& domain = defaultValues());

}  // namespace dmlcts

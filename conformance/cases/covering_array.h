#pragma once

#include <cstdint>
#include <vector>

#include "conformance/cases/parameter_space.h"

namespace dmlcts {

// A mixed-level covering array of the parameter space: labels among which every possible
// combination of the values of any `strength` parameters (2 or 3) occurs. Built as IPOG does, one
// parameter after the other, first to the right, then downwards (Lei, Kacker, Kuhn, Okun, Lawrence,
// "IPOG: a general strategy for t-way software testing", 2007), within the constraints of
// parameter_space.h. The same on every platform.
std::vector<Labels> coveringArray(uint32_t strength, const Domain& domain = defaultValues());

}  // namespace dmlcts

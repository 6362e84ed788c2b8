#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "conformance/facts/parameter_space.h"

namespace dmlcts {

// The values considered for each parameter, by number, ascending.
using Domain = std::array<std::vector<uint8_t>, kParameters>;
const Domain& allValues();
// `default` combines inputs of at most 65,535 groups of 64 threads; `large` combines larger ones.
const Domain& defaultValues();
const Domain& largeValues();
// Returns the domain without operators of other editions (entry.h) and their attributes.
Domain valuesOfEdition(uint32_t edition, Domain domain);

// Returns the possible combinations for each choice of `strength` parameters. Takes seconds:
// families/combinations.h reads the same from a file.
std::vector<Combinations> possibleCombinations(uint32_t strength,
                                               const Domain& domain = defaultValues());

// Returns a mixed-level covering array of the parameter space: every possible combination of values
// of any `strength` parameters (2 or 3) occurs in some row. Uses IPOG (Lei, Kacker, Kuhn, Okun,
// Lawrence, "IPOG: a general strategy for t-way software testing", 2007): one parameter at a time,
// horizontally, then vertically, within the constraints of parameter_space.h. The same on every
// platform.
std::vector<Labels> coveringArray(uint32_t strength, const Domain& domain = defaultValues());

}  // namespace dmlcts

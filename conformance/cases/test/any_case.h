#pragma once

#include <cstdint>

#include "conformance/cases/case.h"

namespace dmlcts {

// Returns an arbitrary case, mostly invalid: every type on every tensor, any strides, totals and
// fill. A pure function of the seed.
Case anyCase(uint64_t seed);

}  // namespace dmlcts

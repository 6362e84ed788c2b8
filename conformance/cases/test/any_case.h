#pragma once

#include <cstdint>

#include "conformance/cases/case.h"

namespace dmlcts {

// Any case at all, mostly invalid: every type on every tensor, any strides and totals, any fill.
// A function of the seed.
Case anyCase(uint64_t seed);

}  // namespace dmlcts

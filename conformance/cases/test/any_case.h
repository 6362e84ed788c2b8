#pragma once

#include "conformance/cases/case.h"
#include "conformance/cases/choices.h"

namespace dmlcts {

// Returns an arbitrary case, mostly invalid: every type on every tensor, any strides, totals and
// fill.
Case anyCase(Choices& choices);

}  // namespace dmlcts

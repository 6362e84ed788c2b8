#pragma once

#include "conformance/inputs/choices.h"
#include "conformance/language/case.h"

namespace dmlcts {

// Returns an arbitrary case, mostly invalid: every type on every tensor, any strides, totals and
// fill.
Case anyCase(Choices& choices);

}  // namespace dmlcts

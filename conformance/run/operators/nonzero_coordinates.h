#pragma once

#include "conformance/run/neighbours.h"

// How NONZERO_COORDINATES becomes smaller.

namespace dmlcts {

void addNonzeroShapes(const NonzeroCoordinates& op, Neighbours& neighbours);
std::vector<FillKind> nonzeroFills();

}  // namespace dmlcts

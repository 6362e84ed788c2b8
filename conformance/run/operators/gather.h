#pragma once

#include "conformance/run/neighbours.h"

// How GATHER_ND and GATHER_ND1 become smaller.

namespace dmlcts {

template <class Gather>
void addGatherShapes(const Gather& op, Neighbours& neighbours);
std::vector<FillKind> gatherFills();

}  // namespace dmlcts

#pragma once

#include <array>

#include "conformance/cases/families/build.h"
#include "conformance/run/detour.h"
#include "conformance/run/neighbours.h"

// How GATHER_ND and GATHER_ND1 become smaller, and one the other.

namespace dmlcts {

template <class Gather>
void addGatherShapes(const Gather& op, Neighbours& neighbours);
std::vector<FillKind> gatherFills();

inline constexpr std::array kGatherNdDetours{Detour<GatherNd>{
    GatherNd1::name, [](const GatherNd& op) { return Descriptor(withoutBatches(op)); }}};

}  // namespace dmlcts

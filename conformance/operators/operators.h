#pragma once

#include <array>

#include "conformance/operators/gather.h"
#include "conformance/operators/nonzero_coordinates.h"
#include "reference/per_operator.h"

// The table of other descriptors.

namespace dmlcts {

inline constexpr std::array kGatherNdEquivalents{EquivalentDescriptor<GatherNd>{
    GatherNd1::name, "GATHER_ND's cases, asked of GATHER_ND1",
    [](const GatherNd& op) { return Descriptor(withoutBatches(op)); }}};

inline constexpr PerOperator<OperatorEntry> kOperators{
    gatherEntry<GatherNd>(kGatherNdEquivalents),
    kNonzeroCoordinates,
    gatherEntry<GatherNd1>(),
};

}  // namespace dmlcts

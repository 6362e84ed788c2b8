#pragma once

#include "conformance/operators/gather.h"

// The case entry of GATHER_ND1.

namespace dmlcts {

std::span<const std::string_view> gatherNd1Attributes();
std::span<const Constraint> gatherNd1Constraints();
void addGatherNd1Rules(const GatherNd1& op, const Case& testCase,
                       std::vector<std::string_view>& rules);

extern const FamilyParts kGatherNd1Families;

inline constexpr std::array kGatherNd1Counts{&GatherNd1::inputDimensionCount,
                                             &GatherNd1::indicesDimensionCount,
                                             &GatherNd1::batchDimensionCount};

inline constexpr CaseEntry<GatherNd1> kGatherNd1Cases = [] {
  auto entry = gatherEntry<GatherNd1>({.name = GatherNd1::name,
                                       .edition = 2,
                                       .indicesSlot = 1,
                                       .outputSlot = 2,
                                       .dataTypes = gather1Types,
                                       .indexTypes = gather1IndexTypes,
                                       .dimensionCounts = gather1Ranks,
                                       .attributes = gatherNd1Attributes,
                                       .attributesRule = "tuple-size",
                                       .constraints = gatherNd1Constraints,
                                       .families = &kGatherNd1Families});
  entry.dimensionCounts = kGatherNd1Counts;
  entry.defaultDimensionCounts = [](const GatherNd1& op) {
    return std::vector<uint32_t>{static_cast<uint32_t>(op.input.sizes.size()),
                                 static_cast<uint32_t>(op.indices.sizes.size()), 0};
  };
  entry.addRules = addGatherNd1Rules;
  return entry;
}();

}  // namespace dmlcts

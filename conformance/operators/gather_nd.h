#pragma once

#include "conformance/operators/gather.h"

// The case entry of GATHER_ND.

namespace dmlcts {

std::span<const std::string_view> gatherNdAttributes();
std::span<const Constraint> gatherNdConstraints();
void addGatherNdRules(const GatherNd& op, const Case& testCase,
                      std::vector<std::string_view>& rules);

extern const FamilyParts kGatherNdFamilies;

inline constexpr std::array kGatherNdCounts{&GatherNd::inputDimensionCount,
                                            &GatherNd::indicesDimensionCount};

inline constexpr std::array kGatherNdEquivalents{EquivalentDescriptor<GatherNd>{
    GatherNd1::name, "GATHER_ND's cases, asked of GATHER_ND1",
    [](const GatherNd& op) { return Descriptor(withoutBatches(op)); }}};

inline constexpr CaseEntry<GatherNd> kGatherNdCases = [] {
  auto entry = gatherEntry<GatherNd>({.name = GatherNd::name,
                                      .edition = 1,
                                      .indicesSlot = 1,
                                      .outputSlot = 2,
                                      .dataTypes = gatherTypes,
                                      .indexTypes = gatherIndexTypes,
                                      .dimensionCounts = gatherRanks,
                                      .attributes = gatherNdAttributes,
                                      .attributesRule = "tuple-size",
                                      .constraints = gatherNdConstraints,
                                      .families = &kGatherNdFamilies});
  entry.dimensionCounts = kGatherNdCounts;
  entry.defaultDimensionCounts = [](const GatherNd& op) {
    return std::vector<uint32_t>{static_cast<uint32_t>(op.input.sizes.size()),
                                 static_cast<uint32_t>(op.indices.sizes.size())};
  };
  entry.equivalents = kGatherNdEquivalents;
  entry.addRules = addGatherNdRules;
  return entry;
}();

}  // namespace dmlcts

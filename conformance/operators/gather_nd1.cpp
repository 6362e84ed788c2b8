#include "conformance/operators/gather_nd1.h"

#include <algorithm>

#include "conformance/families/gather_parts.h"

namespace dmlcts {

using P = Parameter;

namespace {

bool hasBatches(uint8_t attributes) {
  return attributes >= BatchWholeTuple && attributes <= BatchesPartialTuple;
}

// The DimensionCount that the attributes need: one or two batch dimensions, an indexed one, and a
// copied one if the tuple is partial.
uint32_t leastRank(uint8_t attributes) {
  const bool several = attributes == BatchesWholeTuple || attributes == BatchesPartialTuple;
  const bool partial = attributes == BatchPartialTuple || attributes == BatchesPartialTuple;
  return (several ? 2 : 1) + 1 + (partial ? 1 : 0);
}

}  // namespace

std::span<const std::string_view> gatherNd1Attributes() { return kGatherAttributes; }

std::span<const Constraint> gatherNd1Constraints() {
  static const std::vector<Constraint> all = [] {
    std::vector<Constraint> constraints = gatherConstraints();
    constraints.push_back(
        {"batches, an indexed dimension and what is copied need as many dimensions",
         {P::Rank, P::Attributes},
         [](const Labels& l) {
           return hasBatches(at(l, P::Attributes)) &&
                  at(l, P::Rank) < leastRank(at(l, P::Attributes));
         }});
    return constraints;
  }();
  return all;
}

void addGatherNd1Rules(const GatherNd1& op, const Case& testCase,
                       std::vector<std::string_view>& rules) {
  rules.push_back("gather_nd1.gather");
  if (hasNans(testCase.fill, op.input.type)) rules.push_back("gather_nd1.nan-payload");
  if (hasFloat32Denormals(testCase.fill, op.input.type)) {
    rules.push_back("gather_nd1.float32-denormals");
  }
  if (hasNegativeIndices(op.indices, testCase.index)) {
    rules.push_back("gather_nd1.negative-indices");
  }
}

const FamilyParts kGatherNd1Families{.documents = addGatherDocuments<GatherNd1>,
                                     .matrix = addGatherCell<GatherNd1>,
                                     .graphOfTwo = addGatherGraph<GatherNd1>,
                                     .attributes = addGather1Attributes,
                                     .columns = nullptr,
                                     .batches = addGather1Batches,
                                     .values = addGatherValues<GatherNd1>,
                                     .positions = nullptr,
                                     .nonzeroSizes = nullptr,
                                     .scale = addGatherScale<GatherNd1>,
                                     .gatherSizes = addGatherSizes<GatherNd1>,
                                     .indices = addGatherIndices<GatherNd1>,
                                     .inputLayouts = addGatherInputLayouts<GatherNd1>,
                                     .outputLayouts = addGatherOutputLayouts<GatherNd1>,
                                     .totals = addGatherTotals<GatherNd1>,
                                     .breakable = breakableGather1,
                                     .controlFill = FillKind::Unique,
                                     .borderControls = gather1BorderControls,
                                     .levels = addGather1Levels,
                                     .undocumentedTypes = addGatherUndocumentedTypes<GatherNd1>,
                                     .undocumentedRanks = addGatherUndocumentedRanks<GatherNd1>,
                                     .largeLayouts = addGatherLargeLayouts<GatherNd1>,
                                     .large = addGatherLarge<GatherNd1>,
                                     .largeStrided = addGatherLargeStrided<GatherNd1>,
                                     .huge = addGatherHuge<GatherNd1>,
                                     .axes = addGather1Axes};

}  // namespace dmlcts

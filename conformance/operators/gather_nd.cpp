#include "conformance/operators/gather_nd.h"

#include "conformance/families/gather_parts.h"

namespace dmlcts {

std::span<const std::string_view> gatherNdAttributes() {
  return std::span(kGatherAttributes).first(BatchWholeTuple);
}

std::span<const Constraint> gatherNdConstraints() {
  static const std::vector<Constraint> all = gatherConstraints();
  return all;
}

void addGatherNdRules(const GatherNd& op, const Case& testCase,
                      std::vector<std::string_view>& rules) {
  rules.push_back("gather_nd.available");
  rules.push_back("gather_nd.gather");
  if (hasNans(testCase.fill, op.input.type)) rules.push_back("gather_nd.nan-payload");
  if (hasFloat32Denormals(testCase.fill, op.input.type)) {
    rules.push_back("gather_nd.float32-denormals");
  }
  if (hasNegativeIndices(op.indices, testCase.index)) {
    rules.push_back("gather_nd.negative-indices");
  }
}

const FamilyParts kGatherNdFamilies{.documents = addGatherDocuments<GatherNd>,
                                    .matrix = addGatherCell<GatherNd>,
                                    .graphOfTwo = addGatherGraph<GatherNd>,
                                    .attributes = addGatherAttributes,
                                    .columns = nullptr,
                                    .batches = nullptr,
                                    .values = addGatherValues<GatherNd>,
                                    .positions = nullptr,
                                    .nonzeroSizes = nullptr,
                                    .scale = addGatherScale<GatherNd>,
                                    .gatherSizes = addGatherSizes<GatherNd>,
                                    .indices = addGatherIndices<GatherNd>,
                                    .inputLayouts = addGatherInputLayouts<GatherNd>,
                                    .outputLayouts = addGatherOutputLayouts<GatherNd>,
                                    .totals = addGatherTotals<GatherNd>,
                                    .breakable = breakableGather,
                                    .controlFill = FillKind::Unique,
                                    .borderControls = gatherBorderControls,
                                    .levels = addGatherLevels,
                                    .undocumentedTypes = addGatherUndocumentedTypes<GatherNd>,
                                    .undocumentedRanks = addGatherUndocumentedRanks<GatherNd>,
                                    .largeLayouts = addGatherLargeLayouts<GatherNd>,
                                    .large = addGatherLarge<GatherNd>,
                                    .largeStrided = addGatherLargeStrided<GatherNd>,
                                    .huge = addGatherHuge<GatherNd>,
                                    .axes = addGatherAxes};

}  // namespace dmlcts

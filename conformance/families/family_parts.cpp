#include "conformance/families/family_parts.h"

#include "conformance/facts/operators.h"
#include "conformance/families/gather_parts.h"
#include "conformance/families/nonzero_parts.h"

namespace dmlcts {
namespace {

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

const FamilyParts kNonzeroCoordinatesFamilies{.documents = addNonzeroDocuments,
                                              .matrix = addNonzeroCell,
                                              .attributes = nullptr,
                                              .columns = addNonzeroColumns,
                                              .batches = nullptr,
                                              .values = addNonzeroValues,
                                              .positions = addNonzeroPositions,
                                              .nonzeroSizes = addNonzeroSizes,
                                              .scale = addNonzeroScale,
                                              .gatherSizes = nullptr,
                                              .indices = nullptr,
                                              .inputLayouts = addNonzeroInputLayouts,
                                              .outputLayouts = addNonzeroOutputLayouts,
                                              .totals = addNonzeroTotals,
                                              .breakable = breakableNonzero,
                                              .controlFill = FillKind::All,
                                              .borderControls = nonzeroBorderControls,
                                              .levels = addNonzeroLevels,
                                              .undocumentedTypes = addNonzeroUndocumentedTypes,
                                              .undocumentedRanks = addNonzeroUndocumentedRanks,
                                              .largeLayouts = addNonzeroLargeLayouts,
                                              .large = addNonzeroLarge,
                                              .largeStrided = addNonzeroLargeStrided,
                                              .huge = addNonzeroHuge,
                                              .axes = addNonzeroAxes};

template <class Operator>
struct PartsEntry {
  const FamilyParts& parts;
};
constexpr PerOperator<PartsEntry> kParts{
    PartsEntry<GatherNd>{kGatherNdFamilies},
    PartsEntry<NonzeroCoordinates>{kNonzeroCoordinatesFamilies},
    PartsEntry<GatherNd1>{kGatherNd1Families},
};

}  // namespace

const FamilyParts& partsOf(const OperatorFacts& op) {
  static const std::vector<const FamilyParts*> all = [] {
    std::vector<const FamilyParts*> parts;
    forEachEntry(kParts, [&](const auto& entry) { parts.push_back(&entry.parts); });
    return parts;
  }();
  return *all[static_cast<size_t>(&op - operatorFacts().data())];
}

}  // namespace dmlcts

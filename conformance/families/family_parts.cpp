#include "conformance/families/family_parts.h"

#include "conformance/facts/operators.h"
#include "conformance/families/gather_parts.h"
#include "conformance/families/nonzero_parts.h"

namespace dmlcts {
namespace {

template <class Operator>
struct PartsEntry {
  FamilyParts parts;
};

constexpr PerOperator<PartsEntry> kParts{
    PartsEntry<GatherNd>{{addGatherDocuments, breakableGather, FillKind::Unique,
                          gatherBorderControls, addGatherLevels}},
    PartsEntry<NonzeroCoordinates>{{addNonzeroDocuments, breakableNonzero, FillKind::All,
                                    nonzeroBorderControls, addNonzeroLevels}},
    PartsEntry<GatherNd1>{{addGather1Documents, breakableGather1, FillKind::Unique,
                           gather1BorderControls, addGather1Levels}},
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

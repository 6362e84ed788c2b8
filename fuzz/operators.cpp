#include "fuzz/operators.h"

#include <algorithm>

#include "conformance/cases/families/build.h"
#include "reference/element.h"

namespace dmlcts {

const PerOperator<FuzzEntry> kFuzz{
    FuzzEntry<GatherNd>{.huge = nullptr, .keepDefined = nullptr, .relations = gatherNdRelations},
    FuzzEntry<NonzeroCoordinates>{.huge = hugeNonzeroCoordinates,
                                  .keepDefined = keepRowsWithinCount,
                                  .relations = nonzeroRelations},
    FuzzEntry<GatherNd1>{.huge = nullptr, .keepDefined = nullptr, .relations = gatherNd1Relations},
};

NonzeroCoordinates hugeNonzeroCoordinates(uint32_t elements) {
  return makeNonzero(DataType::UInt8, {elements}, 1);
}

void keepRowsWithinCount(const NonzeroCoordinates& op, Outputs& outputs) {
  const uint64_t rows = loadBits(outputs[0], 0, 4);
  const uint64_t bytes = rows * op.coords.sizes.back() * 4;
  outputs[1].resize(std::min<uint64_t>(bytes, outputs[1].size()));
}

}  // namespace dmlcts

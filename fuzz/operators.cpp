#include "fuzz/operators.h"

#include "fuzz/operators/gather.h"
#include "fuzz/operators/nonzero_coordinates.h"

namespace dmlcts {

const PerOperator<FuzzEntry> kFuzz{
    FuzzEntry<GatherNd>{.huge = nullptr, .keepDefined = nullptr, .relations = gatherNdRelations},
    FuzzEntry<NonzeroCoordinates>{.huge = hugeNonzeroCoordinates,
                                  .keepDefined = keepRowsWithinCount,
                                  .relations = nonzeroRelations},
    FuzzEntry<GatherNd1>{.huge = nullptr, .keepDefined = nullptr, .relations = gatherNd1Relations},
};

}  // namespace dmlcts

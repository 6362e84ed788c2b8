#include "fuzz/operators.h"

#include "fuzz/operators/gather.h"
#include "fuzz/operators/nonzero_coordinates.h"

namespace dmlcts {

const PerOperator<FuzzEntry> kFuzz{
    FuzzEntry<GatherNd>{.keepDefined = nullptr, .relations = gatherNdRelations},
    FuzzEntry<NonzeroCoordinates>{.keepDefined = keepRowsWithinCount,
                                  .relations = nonzeroRelations},
    FuzzEntry<GatherNd1>{.keepDefined = nullptr, .relations = gatherNd1Relations}};

}  // namespace dmlcts

#include "fuzz/operators.h"

#include "fuzz/operators/gather.h"
#include "fuzz/operators/nonzero_coordinates.h"

namespace dmlcts {

const PerOperator<FuzzEntry> kFuzz{
    FuzzEntry<GatherNd>{.draw = drawGatherNd,
                        .huge = nullptr,
                        .plainer = plainerGatherNds,
                        .follow = nullptr,
                        .fewer = nullptr,
                        .keepDefined = nullptr,
                        .relations = gatherNdRelations},
    FuzzEntry<NonzeroCoordinates>{.draw = drawNonzeroCoordinates,
                                  .huge = hugeNonzeroCoordinates,
                                  .plainer = plainerNonzeroCoordinates,
                                  .follow = keepRows,
                                  .fewer = fewerColumns,
                                  .keepDefined = keepRowsWithinCount,
                                  .relations = nonzeroRelations},
    FuzzEntry<GatherNd1>{.draw = drawGatherNd1,
                         .huge = nullptr,
                         .plainer = plainerGatherNd1s,
                         .follow = nullptr,
                         .fewer = nullptr,
                         .keepDefined = nullptr,
                         .relations = gatherNd1Relations},
};

}  // namespace dmlcts

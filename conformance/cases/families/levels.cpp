// What a level does not have yet, although a later one has it: each descriptor is rejected at the
// older level and executed at the first one that has it.

#include <algorithm>

#include "conformance/cases/families/build.h"
#include "conformance/cases/families/families.h"

namespace dmlcts {
namespace {

// GATHER_ND at 2.1: tensors of 4 dimensions and UINT32 indices only.
void addGatherGates(CaseList& list, DataType type) {
  for (uint32_t rank = 1; rank <= 8; ++rank) {
    if (rank == 4) continue;
    const GatherNd op =
        makeGather(type, DataType::UInt32, rank, Sizes(rank, 3), Sizes(rank - 1, 2), rank);
    list.reject(Level::L2_1, op, "gather_nd.rank-2.1");
    list.execute(Level::L3_0, op, fill(FillKind::Unique));
  }
  for (DataType indexType : indexTypes(Level::L3_0)) {
    const GatherNd op = makeGather(type, indexType, 4, {3, 5}, {4}, 1);
    if (indexType == DataType::UInt32) {
      list.execute(Level::L2_1, op, fill(FillKind::Unique));
      continue;
    }
    list.reject(Level::L2_1, op, "gather_nd.index-types-2.1");
    list.execute(Level::L3_0, op, fill(FillKind::Unique));
  }
}

// NONZERO_COORDINATES at 2.1: nothing. At 3.0 and 3.1: 4 and 5 dimensions, the same for all.
void addNonzeroGates(CaseList& list, DataType type) {
  for (uint32_t rank = 1; rank <= 8; ++rank) {
    const size_t coordsRank = std::max(2u, rank);
    const auto op = makeNonzero(type, Sizes(rank, 2), rank, rank, coordsRank);
    list.reject(Level::L2_1, op, "nonzero_coordinates.available");
    list.execute(nonzeroLevels(rank).front(), op, fill(FillKind::Mixed));
    // With one dimension the coordinates have two all the same, which breaks a second rule.
    if (rank == 1 || rank == 4 || rank == 5) continue;
    for (Level level : {Level::L3_0, Level::L3_1}) {
      list.reject(level, op, "nonzero_coordinates.rank-3.0");
    }
  }
  for (uint32_t rank : nonzeroRanks(Level::L3_0)) {
    const uint32_t other = 9 - rank;
    for (const auto& op : {makeNonzero(type, Sizes(rank, 2), rank, other, rank),
                           makeNonzero(type, Sizes(rank, 2), rank, rank, other),
                           makeNonzero(type, Sizes(rank, 2), rank, other, other)}) {
      for (Level level : {Level::L3_0, Level::L3_1}) {
        list.reject(level, op, "nonzero_coordinates.dimension-counts");
      }
      list.execute(Level::L4_0, op, fill(FillKind::Mixed));
    }
  }
}

}  // namespace

void addLevels(CaseList& list) {
  for (DataType type : documentedTypes()) {
    addGatherGates(list, type);
    addNonzeroGates(list, type);
  }
}

}  // namespace dmlcts

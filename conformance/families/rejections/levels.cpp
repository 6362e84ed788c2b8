// Features that only a later level has: each descriptor is rejected at the older level and executed
// at the first level that has it.

#include <algorithm>

#include "conformance/families/families.h"
#include "conformance/families/family_parts.h"
#include "conformance/families/gather_parts.h"
#include "conformance/families/nonzero_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
// FLOAT64, UINT64 and INT64 before 4.1, in an otherwise valid descriptor.
template <class Operator>
void addWideTypes(CaseList& list, const Operator& op, std::initializer_list<Level> levels,
                  std::string_view rule) {
  for (Level level : levels) list.reject(level, op, rule);
  list.execute(Level::L4_1, op, fill(FillKind::Unique));
}

// GATHER_ND at 2.1: only 4 dimensions and UINT32 indices.
void addGatherLevels(CaseList& list, DataType type) {
  if (levelsOf<GatherNd>(type, 4).front() == Level::L4_1) {
    constexpr std::string_view kRule = "gather_nd.data-types-2.1";
    for (uint32_t rank = 1; rank <= 8; ++rank) {
      const GatherNd op =
          makeGather(type, DataType::UInt32, rank, Sizes(rank, 3), Sizes(rank - 1, 2), rank);
      if (rank == 4) list.reject(Level::L2_1, op, kRule);  // other ranks break a second rule there
      addWideTypes(list, op, {Level::L3_0, Level::L3_1, Level::L4_0}, kRule);
    }
    return;
  }
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

// NONZERO_COORDINATES does not exist at 2.1. At 3.0 and 3.1: 4 or 5 dimensions, the same for all
// tensors.
void addNonzeroLevels(CaseList& list, DataType type) {
  for (uint32_t rank = 1; rank <= 8; ++rank) {
    const size_t coordsRank = std::max(2u, rank);
    const auto op = makeNonzero(type, Sizes(rank, 2), rank, rank, coordsRank);
    list.reject(Level::L2_1, op, "nonzero_coordinates.available");
    if (rank == 4) list.keepInSmoke();  // nothing but the level is wrong at 3.0
    list.execute(nonzeroLevels(rank).front(), op, fill(FillKind::Mixed));
    // With rank 1 the coordinates still have two dimensions, which breaks a second rule.
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

// GATHER_ND1 does not exist at 2.1; FLOAT64, UINT64 and INT64 only from 4.1.
void addGather1Levels(CaseList& list, DataType type) {
  const auto older = gather1Types(Level::L3_0);
  const bool isWide = std::ranges::find(older, type) == older.end();
  for (uint32_t rank = 1; rank <= 8; ++rank) {
    const uint32_t batchRank = std::min((rank - 1) / 2, 3u);
    const auto op = makeGather1(type, DataType::UInt32, rank, Sizes(rank, 3), Sizes(rank - 1, 3),
                                rank - batchRank, batchRank);
    list.reject(Level::L2_1, op, "gather_nd1.available");
    if (isWide) {
      addWideTypes(list, op, {Level::L3_0, Level::L3_1, Level::L4_0}, "gather_nd1.data-types-3.0");
    } else {
      list.execute(Level::L3_0, op, fill(FillKind::Unique));
    }
  }
}

void addLevels(CaseList& list) {
  for (DataType type : everyType()) {
    for (const OperatorFacts* op : list.operators()) {
      const auto types = op->dataTypes(kLevels.back());
      if (std::ranges::find(types, type) != types.end()) partsOf(*op).levels(list, type);
    }
  }
}

}  // namespace dmlcts

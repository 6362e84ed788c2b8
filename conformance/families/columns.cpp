// Every number of columns N for every DimensionCount and effective rank of NONZERO_COORDINATES'
// input, with every DimensionCount of the outputs allowed at the level.

#include <algorithm>

#include "conformance/families/families.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

// Leading 1s, then differing sizes. The first of these is not 1 and so determines the effective
// rank. An inner 1 is not a leading one.
Sizes sizesOfEffectiveRank(uint32_t rank, uint32_t effective, bool innerOne) {
  Sizes sizes(effective);
  for (uint32_t i = 0; i < effective; ++i) sizes[i] = 2 + (i + effective) % (effective > 5 ? 2 : 4);
  if (innerOne && effective >= 2) sizes[effective - 1] = 1;
  return rightAligned(sizes, rank);
}

void addNonzeroColumns(CaseList& list) {
  uint64_t i = 0;
  for (uint32_t rank = 1; rank <= 8; ++rank) {
    for (uint32_t effective = 0; effective <= rank; ++effective) {
      for (uint32_t columns = std::max(1u, effective); columns <= rank; ++columns) {
        for (uint32_t coordsRank = 2; coordsRank <= 8; ++coordsRank, ++i) {
          const Sizes input = sizesOfEffectiveRank(rank, effective, coordsRank % 3 == 0);
          const DataType type = rotate(documentedTypes(), i);
          // Before 4.0 the outputs have the input's dimension count.
          const Level level =
              coordsRank == rank ? rotate(nonzeroLevels(rank), i / 7) : rotate(nonzeroLevels(1), i);
          const size_t countRank = coordsRank == rank ? rank : 1 + i % 8;
          const auto op = makeNonzero(type, input, columns, countRank, coordsRank);
          const bool tiny = effective <= 1;
          list.execute(level, op, fill(tiny ? FillKind::All : FillKind::Mixed), {}, i % 5);
        }
      }
    }
  }
}

}  // namespace

void addColumns(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    visitKind(*op, kNoCases, [&](const auto&) { addNonzeroColumns(list); });
  }
}

}  // namespace dmlcts

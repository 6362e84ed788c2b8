// Every combination of DimensionCount, InputDimensionCount, IndicesDimensionCount and tuple size
// that GATHER_ND allows. They decide which leading dimensions are ignored, which input dimensions
// are indexed and which are copied. GATHER_ND1 adds up to 3 batch dimensions, but only the smallest
// and largest IndicesDimensionCount.

#include <algorithm>

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

// Neighbouring sizes differ, so that confused dimensions show.
Sizes distinctSizes(uint32_t count, uint32_t first) {
  Sizes sizes(count);
  for (uint32_t i = 0; i < count; ++i) sizes[i] = 2 + (first + i) % (count > 5 ? 2 : 3);
  return sizes;
}

template <HasTuples Operator>
void addWithoutBatches(CaseList& list) {
  uint64_t i = 0;
  for (uint32_t rank = 1; rank <= 8; ++rank) {
    for (uint32_t inputRank = 1; inputRank <= rank; ++inputRank) {
      for (uint32_t tupleSize = 1; tupleSize <= inputRank; ++tupleSize) {
        const uint32_t blockRank = inputRank - tupleSize;
        for (uint32_t tupleAxes = 0; tupleAxes <= std::min(rank - 1, rank - blockRank);
             ++tupleAxes) {
          for (uint64_t variation = 0; variation < 3; ++variation, ++i) {
            const DataType type = rotate(documentedTypes(), i + variation);
            const Level level = rotate(levelsOf<Operator>(type, rank), i / 3 + 5 * variation);
            const DataType indexType = rotate(indexTypes(level), i / 2);
            const auto op = makeOfShape<Operator>(
                type, indexType, rank,
                {distinctSizes(inputRank, 1), distinctSizes(tupleAxes, 0), tupleSize});
            const bool negative = info(indexType).isSigned && variation > 0;
            list.execute(level, op, fill(FillKind::Unique),
                         index(negative ? IndexKind::Negative : IndexKind::Random), variation);
          }
        }
      }
    }
  }
}

template <HasBatches Operator>
void addWithBatches(CaseList& list) {
  uint64_t i = 0;
  for (uint32_t rank = 1; rank <= 8; ++rank) {
    for (uint32_t inputRank = 1; inputRank <= rank; ++inputRank) {
      for (uint32_t batchRank = 0; batchRank < inputRank && batchRank <= 3; ++batchRank) {
        for (uint32_t tupleSize = 1; tupleSize <= inputRank - batchRank; ++tupleSize) {
          const uint32_t blockRank = inputRank - batchRank - tupleSize;
          const uint32_t most = std::min(rank - 1, rank - blockRank);
          // Either no array of tuples after the batches, or the largest.
          for (uint32_t tupleAxes = batchRank; tupleAxes <= most;
               tupleAxes += std::max(1u, most - batchRank), ++i) {
            const DataType type = rotate(everyType(), i);
            const Level level = rotate(levelsOf<Operator>(type, rank), i / 3);
            const DataType indexType = rotate(indexTypes(level), i / 2);
            const Sizes input = distinctSizes(inputRank, 1);
            const Sizes batches(input.begin(), input.begin() + batchRank);
            const Sizes tuples =
                concatenated(batches, distinctSizes(tupleAxes - batchRank, batchRank));
            const bool negative = info(indexType).isSigned && i % 2 == 0;
            list.execute(
                level,
                makeOfShape<Operator>(type, indexType, rank, {input, tuples, tupleSize, batchRank}),
                fill(FillKind::Unique), index(negative ? IndexKind::Negative : IndexKind::Random));
          }
        }
      }
    }
  }
}

template <HasTuples Operator>
void addGatherAttributes(CaseList& list) {
  if constexpr (HasBatches<Operator>) {
    addWithBatches<Operator>(list);
  } else {
    addWithoutBatches<Operator>(list);
  }
}

}  // namespace

void addAttributes(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    visitKind(
        *op, [&]<class Operator>(const Operator&) { addGatherAttributes<Operator>(list); },
        kNoCases);
  }
}

}  // namespace dmlcts

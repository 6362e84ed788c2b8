// What no level has: input data types that the documents do not list, and more than 8 dimensions.
// Nobody may rely on a device that takes them.

#include "conformance/cases/families/build.h"
#include "conformance/cases/families/families.h"

namespace dmlcts {
namespace {

const std::vector<DataType> kUndocumentedTypes{DataType::Float64, DataType::UInt64, DataType::Int64,
                                               DataType::Unknown};

void addTypes(CaseList& list, Level level) {
  for (DataType type : kUndocumentedTypes) {
    for (uint32_t rank : gatherRanks(level)) {
      list.reject(
          level, makeGather(type, DataType::UInt32, rank, Sizes(rank, 2), Sizes(rank - 1, 2), rank),
          "gather_nd.data-types");
    }
    for (uint32_t rank : nonzeroRanks(level)) {
      list.reject(level, makeNonzero(type, Sizes(rank, 2), rank), "nonzero_coordinates.data-types");
    }
  }
}

// A tensor without dimensions would break rules on the attributes as well.
void addRanks(CaseList& list, Level level, uint32_t rank) {
  for (DataType type : documentedTypes()) {
    if (level >= Level::L3_0) {
      const GatherNd op = makeGather(type, DataType::UInt32, rank, {3, 4}, {5}, 1);
      list.reject(level, op, "gather_nd.rank");
    }
    if (level >= Level::L4_0) {
      // More leading 1s than the input may have; the outputs are within their bounds.
      const auto op = makeNonzero(type, rightAligned({3, 4}, rank), 2, 1, 2);
      list.reject(level, op, "nonzero_coordinates.rank");
    }
  }
}

}  // namespace

void addUndocumented(CaseList& list) {
  for (Level level : kLevels) {
    addTypes(list, level);
    addRanks(list, level, 9);
    addRanks(list, level, 12);
  }
}

}  // namespace dmlcts

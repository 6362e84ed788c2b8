// What no level has: input data types that the documents do not list, and more than 8 dimensions.
// Nobody may rely on a device that takes them.

#include "conformance/cases/families/build.h"
#include "conformance/cases/families/families.h"

namespace dmlcts {
namespace {

const std::vector<DataType> kUndocumentedTypes{DataType::Float64, DataType::UInt64, DataType::Int64,
                                               DataType::Unknown};

void addTypes(CaseList& list, Level level) {
  for (uint32_t rank : gatherRanks(level)) {
    const auto ofType = [rank](DataType type) {
      return makeGather(type, DataType::UInt32, rank, Sizes(rank, 2), Sizes(rank - 1, 2), rank);
    };
    list.execute(level, ofType(DataType::Float32), fill(FillKind::Unique));
    for (DataType type : kUndocumentedTypes) {
      list.reject(level, ofType(type), "gather_nd.data-types");
    }
  }
  for (uint32_t rank : nonzeroRanks(level)) {
    const auto ofType = [rank](DataType type) { return makeNonzero(type, Sizes(rank, 2), rank); };
    list.execute(level, ofType(DataType::Float32), fill(FillKind::All));
    for (DataType type : kUndocumentedTypes) {
      list.reject(level, ofType(type), "nonzero_coordinates.data-types");
    }
  }
}

// 9 and 12 dimensions, beside 8. A tensor without dimensions would break rules on the attributes
// as well.
void addRanks(CaseList& list, Level level, DataType type) {
  if (level >= Level::L3_0) {
    const auto ofRank = [type](uint32_t rank) {
      return makeGather(type, DataType::UInt32, rank, {3, 4}, {5}, 1);
    };
    list.execute(level, ofRank(8), fill(FillKind::Unique));
    for (uint32_t rank : {9u, 12u}) list.reject(level, ofRank(rank), "gather_nd.rank");
  }
  if (level >= Level::L4_0) {
    // More leading 1s than the input may have; the outputs are within their bounds.
    const auto ofRank = [type](uint32_t rank) {
      return makeNonzero(type, rightAligned({3, 4}, rank), 2, 1, 2);
    };
    list.execute(level, ofRank(8), fill(FillKind::All));
    for (uint32_t rank : {9u, 12u}) list.reject(level, ofRank(rank), "nonzero_coordinates.rank");
  }
}

}  // namespace

void addUndocumented(CaseList& list) {
  for (Level level : kLevels) {
    addTypes(list, level);
    for (DataType type : documentedTypes()) addRanks(list, level, type);
  }
}

}  // namespace dmlcts

// Features that no level has: undocumented input data types and more than 8 dimensions. No
// application may rely on a device that accepts them.

#include <algorithm>

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

const std::vector<DataType> kUndocumentedTypes{DataType::Float64, DataType::UInt64, DataType::Int64,
                                               DataType::Unknown};

// The rule about the input's data type at that level.
template <HasTuples Operator>
std::string_view typeRule(Level level) {
  const std::string id = std::string(Operator::name) + ".data-types";
  return std::ranges::find_if(
             rules(),
             [&](const Rule& rule) { return rule.id.starts_with(id) && rule.holdsAt(level); })
      ->id;
}

template <class Operator>
void addGatherUndocumentedTypes(CaseList& list, Level level) {
  const auto has = gatherFacts<Operator>().dataTypes(level);
  for (uint32_t rank : gatherFacts<Operator>().dimensionCounts(level)) {
    const auto ofType = [rank](DataType type) {
      return makeVaried<Operator>(type, DataType::UInt32, rank, Sizes(rank, 2), Sizes(rank - 1, 2),
                                  rank, rank);
    };
    list.execute(level, ofType(DataType::Float32), fill(FillKind::Unique));
    for (DataType type : kUndocumentedTypes) {
      if (std::ranges::find(has, type) != has.end()) continue;
      list.reject(level, ofType(type), typeRule<Operator>(level));
    }
  }
}

void addNonzeroUndocumentedTypes(CaseList& list, Level level) {
  for (uint32_t rank : nonzeroRanks(level)) {
    const auto ofType = [rank](DataType type) { return makeNonzero(type, Sizes(rank, 2), rank); };
    list.execute(level, ofType(DataType::Float32), fill(FillKind::All));
    for (DataType type : kUndocumentedTypes) {
      list.reject(level, ofType(type), "nonzero_coordinates.data-types");
    }
  }
}

// 9 and 12 dimensions, beside 8. Zero dimensions would break attribute rules as well.
template <class Operator>
void addGatherUndocumentedRanks(CaseList& list, Level level, DataType type) {
  if (level < Level::L3_0) return;
  const auto ofRank = [type](uint32_t rank) {
    Operator op = makeVaried<Operator>(type, DataType::UInt32, 6, {3, 4}, {5}, 1,
                                       static_cast<uint64_t>(type));
    for (TensorDesc* tensor : {&op.input, &op.indices, &op.output}) {
      resize(*tensor, rightAligned(tensor->sizes, rank));
    }
    return op;
  };
  list.execute(level, ofRank(8), fill(FillKind::Unique));
  for (uint32_t rank : {9u, 12u}) list.reject(level, ofRank(rank), gatherRule<Operator>("rank"));
}

void addNonzeroUndocumentedRanks(CaseList& list, Level level, DataType type) {
  if (level < Level::L4_0) return;
  // More leading 1s than allowed; the outputs' ranks are valid.
  const auto ofRank = [type](uint32_t rank) {
    return makeNonzero(type, rightAligned({3, 4}, rank), 2, 1, 2);
  };
  list.execute(level, ofRank(8), fill(FillKind::All));
  for (uint32_t rank : {9u, 12u}) list.reject(level, ofRank(rank), "nonzero_coordinates.rank");
}

}  // namespace

void addUndocumented(CaseList& list) {
  for (Level level : kLevels) {
    for (const OperatorFacts* op : list.operators()) {
      visitKind(
          *op,
          [&]<class Operator>(const Operator&) {
            addGatherUndocumentedTypes<Operator>(list, level);
          },
          [&](const auto&) { addNonzeroUndocumentedTypes(list, level); });
    }
    for (DataType type : documentedTypes()) {
      for (const OperatorFacts* op : list.operators()) {
        visitKind(
            *op,
            [&]<class Operator>(const Operator&) {
              addGatherUndocumentedRanks<Operator>(list, level, type);
            },
            [&](const auto&) { addNonzeroUndocumentedRanks(list, level, type); });
      }
    }
  }
}

}  // namespace dmlcts

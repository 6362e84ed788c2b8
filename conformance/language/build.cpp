#include "conformance/language/build.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "reference/checker.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

template <class Has>
std::vector<DataType> ofEveryType(const Has& has) {
  std::vector<DataType> types;
  std::ranges::copy_if(everyType(), std::back_inserter(types), has);
  return types;
}

Descriptor simplestGather(DataType type, DataType indexType, uint32_t rank) {
  return makeGather(type, indexType, rank, {1}, {}, 1);
}
Descriptor simplestGather1(DataType type, DataType indexType, uint32_t rank) {
  return makeGather1(type, indexType, rank, {1}, {}, 1, 0);
}
Descriptor simplestNonzero(DataType type, DataType, uint32_t rank) {
  return makeNonzero(type, Sizes(rank, 1), 1);
}

// Types and ranks that the rules allow an operator at a level.
struct Listed {
  std::vector<DataType> types;       // of the input
  std::vector<DataType> indexTypes;  // irrelevant for operators without indices
  std::vector<uint32_t> ranks;       // of the input
};

template <Descriptor (*simplest)(DataType type, DataType indexType, uint32_t rank)>
const Listed& listed(Level level) {
  static const auto all = [] {
    std::map<Level, Listed> lists;
    for (Level each : kLevels) {
      // Operators allow every combination of types and ranks, and UINT32 indices.
      const auto keeps = [each](DataType type, DataType indexType, uint32_t rank) {
        return check(simplest(type, indexType, rank), each).empty();
      };
      Listed& list = lists[each];
      for (uint32_t rank = 1; rank <= 8; ++rank) {
        const auto types =
            ofEveryType([&](DataType type) { return keeps(type, DataType::UInt32, rank); });
        if (types.empty()) continue;
        list.types = types;
        list.ranks.push_back(rank);
      }
      if (list.types.empty()) continue;
      for (const DataTypeInfo& index : kDataTypes) {
        if (keeps(list.types.front(), index.type, list.ranks.front())) {
          list.indexTypes.push_back(index.type);
        }
      }
    }
    return lists;
  }();
  return all.at(level);
}

template <class Operator>
Operator makeGatherOf(DataType type, DataType indexType, size_t rank, const Sizes& input,
                      const Sizes& tuples, uint32_t tupleSize, uint32_t batchRank) {
  const Sizes block(input.begin() + batchRank + tupleSize, input.end());
  Operator op;
  op.input = makeTensor(type, rightAligned(input, rank));
  op.indices = makeTensor(indexType, rightAligned(concatenated(tuples, {tupleSize}), rank));
  op.output = makeTensor(type, rightAligned(concatenated(tuples, block), rank));
  op.inputDimensionCount = static_cast<uint32_t>(input.size());
  op.indicesDimensionCount = static_cast<uint32_t>(tuples.size() + 1);
  return op;
}

}  // namespace

const std::vector<DataType>& documentedTypes() {
  static const std::vector<DataType> types = ofEveryType(isDocumentedDataType);
  return types;
}

const std::vector<DataType>& everyType() {
  static const std::vector<DataType> types{DataType::Float32, DataType::Float16, DataType::Int32,
                                           DataType::Int16,   DataType::Int8,    DataType::UInt32,
                                           DataType::UInt16,  DataType::UInt8,   DataType::Float64,
                                           DataType::UInt64,  DataType::Int64};
  return types;
}

const std::vector<DataType>& indexTypes(Level level) {
  return listed<simplestGather>(level).indexTypes;
}

std::vector<DataType> gatherTypes(Level level) { return listed<simplestGather>(level).types; }
std::vector<DataType> gather1Types(Level level) { return listed<simplestGather1>(level).types; }
std::vector<DataType> nonzeroTypes(Level level) { return listed<simplestNonzero>(level).types; }

std::vector<DataType> gatherIndexTypes(Level level) { return indexTypes(level); }
std::vector<DataType> gather1IndexTypes(Level level) {
  return listed<simplestGather1>(level).indexTypes;
}

std::vector<uint32_t> gatherRanks(Level level) { return listed<simplestGather>(level).ranks; }
std::vector<uint32_t> gather1Ranks(Level level) { return listed<simplestGather1>(level).ranks; }
std::vector<uint32_t> nonzeroRanks(Level level) { return listed<simplestNonzero>(level).ranks; }

std::vector<Level> nonzeroLevels(uint32_t rank) {
  std::vector<Level> levels;
  for (Level level : kLevels) {
    const auto ranks = nonzeroRanks(level);
    if (std::ranges::find(ranks, rank) != ranks.end()) levels.push_back(level);
  }
  return levels;
}

Sizes rightAligned(const Sizes& sizes, size_t rank) {
  return concatenated(Sizes(rank > sizes.size() ? rank - sizes.size() : 0, 1), sizes);
}

Sizes concatenated(Sizes a, const Sizes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

GatherNd makeGather(DataType type, DataType indexType, size_t rank, const Sizes& input,
                    const Sizes& tuples, uint32_t tupleSize) {
  return makeGatherOf<GatherNd>(type, indexType, rank, input, tuples, tupleSize, 0);
}

GatherNd1 makeGather1(DataType type, DataType indexType, size_t rank, const Sizes& input,
                      const Sizes& tuples, uint32_t tupleSize, uint32_t batchRank) {
  GatherNd1 op =
      makeGatherOf<GatherNd1>(type, indexType, rank, input, tuples, tupleSize, batchRank);
  op.batchDimensionCount = batchRank;
  return op;
}

GatherNd1 withoutBatches(const GatherNd& op) {
  return {op.input, op.indices, op.output, op.inputDimensionCount, op.indicesDimensionCount, 0};
}

NonzeroCoordinates makeNonzero(DataType type, const Sizes& input, uint32_t columns) {
  return makeNonzero(type, input, columns, input.size(), std::max<size_t>(2, input.size()));
}

NonzeroCoordinates makeNonzero(DataType type, const Sizes& input, uint32_t columns,
                               size_t countRank, size_t coordsRank) {
  const auto rows = static_cast<uint32_t>(elementCount(input).value());
  NonzeroCoordinates op;
  op.input = makeTensor(type, input);
  op.count = makeTensor(DataType::UInt32, Sizes(countRank, 1));
  op.coords = makeTensor(DataType::UInt32, rightAligned({rows, columns}, coordsRank));
  return op;
}

void resize(TensorDesc& tensor, Sizes sizes) { tensor = makeTensor(tensor.type, std::move(sizes)); }

void retype(TensorDesc& tensor, DataType type) { tensor = makeTensor(type, tensor.sizes); }

Sizes withSize(Sizes sizes, size_t axis, uint32_t size) {
  sizes[axis] = size;
  return sizes;
}

void setStrides(TensorDesc& tensor, const Sizes& strides) {
  tensor = makeTensor(tensor.type, std::move(tensor.sizes), strides);
}

void setLayout(TensorDesc& tensor, LayoutKind kind, const Sizes& arguments) {
  setStrides(tensor, layoutStrides({kind, arguments}, tensor.sizes).value());
}

Sizes reversedAxes(size_t rank) {
  Sizes axes(rank);
  for (size_t i = 0; i < rank; ++i) axes[i] = static_cast<uint32_t>(rank - 1 - i);
  return axes;
}

Sizes rotatedAxes(size_t rank) {
  Sizes axes(rank);
  for (size_t i = 0; i < rank; ++i) axes[i] = static_cast<uint32_t>((i + rank - 1) % rank);
  return axes;
}

}  // namespace dmlcts

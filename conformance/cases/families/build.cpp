#include "conformance/cases/families/build.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "reference/tensor.h"

namespace dmlcts {
namespace {

std::vector<uint32_t> numbers(uint32_t first, uint32_t last) {
  std::vector<uint32_t> all(last - first + 1);
  std::iota(all.begin(), all.end(), first);
  return all;
}

std::vector<Level> levelsWith(uint32_t rank, std::vector<uint32_t> (*ranks)(Level)) {
  std::vector<Level> levels;
  for (Level level : kLevels) {
    const auto available = ranks(level);
    if (std::ranges::find(available, rank) != available.end()) levels.push_back(level);
  }
  return levels;
}

// Sizes that keep a tensor of that many dimensions small.
uint32_t largestSize(uint32_t rank) {
  constexpr std::array<uint32_t, 9> kLargest{1, 60, 24, 10, 6, 4, 3, 3, 3};
  return kLargest[rank];
}

Sizes drawSizes(Draws& draws, uint32_t count, uint32_t rank) {
  Sizes sizes(count);
  for (uint32_t& size : sizes) size = 1 + static_cast<uint32_t>(draws.below(largestSize(rank)));
  return sizes;
}

uint32_t drawBetween(Draws& draws, uint32_t first, uint32_t last) {
  return first + static_cast<uint32_t>(draws.below(last - first + 1));
}

}  // namespace

const std::vector<DataType>& documentedTypes() {
  static const std::vector<DataType> types{DataType::Float32, DataType::Float16, DataType::Int32,
                                           DataType::Int16,   DataType::Int8,    DataType::UInt32,
                                           DataType::UInt16,  DataType::UInt8};
  return types;
}

const std::vector<DataType>& wideTypes() {
  static const std::vector<DataType> types{DataType::Float64, DataType::UInt64, DataType::Int64};
  return types;
}

const std::vector<DataType>& everyType() {
  static const std::vector<DataType> types = [] {
    std::vector<DataType> both = documentedTypes();
    both.insert(both.end(), wideTypes().begin(), wideTypes().end());
    return both;
  }();
  return types;
}

const std::vector<DataType>& indexTypes(Level level) {
  static const std::vector<DataType> oldest{DataType::UInt32};
  static const std::vector<DataType> newer{DataType::UInt32, DataType::Int32, DataType::UInt64,
                                           DataType::Int64};
  return level < Level::L3_0 ? oldest : newer;
}

std::vector<DataType> gatherTypes(Level level) {
  std::vector<DataType> types = documentedTypes();
  if (level >= Level::L4_1) types.insert(types.end(), wideTypes().begin(), wideTypes().end());
  return types;
}

std::vector<DataType> gather1Types(Level level) {
  return level < Level::L3_0 ? std::vector<DataType>() : gatherTypes(level);
}

std::vector<DataType> nonzeroTypes(Level level) {
  return level < Level::L3_0 ? std::vector<DataType>() : documentedTypes();
}

std::vector<DataType> gatherIndexTypes(Level level) { return indexTypes(level); }

std::vector<DataType> gather1IndexTypes(Level level) {
  return level < Level::L3_0 ? std::vector<DataType>() : indexTypes(level);
}

std::vector<uint32_t> gatherRanks(Level level) {
  return level < Level::L3_0 ? numbers(4, 4) : numbers(1, 8);
}

std::vector<uint32_t> gather1Ranks(Level level) {
  return level < Level::L3_0 ? std::vector<uint32_t>() : numbers(1, 8);
}

std::vector<uint32_t> nonzeroRanks(Level level) {
  if (level < Level::L3_0) return {};
  return level < Level::L4_0 ? numbers(4, 5) : numbers(1, 8);
}

std::vector<Level> gatherLevels(uint32_t rank) { return levelsWith(rank, gatherRanks); }
std::vector<Level> gather1Levels(uint32_t rank) { return levelsWith(rank, gather1Ranks); }
std::vector<Level> nonzeroLevels(uint32_t rank) { return levelsWith(rank, nonzeroRanks); }

Sizes rightAligned(const Sizes& sizes, size_t rank) {
  return concatenated(Sizes(rank > sizes.size() ? rank - sizes.size() : 0, 1), sizes);
}

Sizes concatenated(Sizes a, const Sizes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

namespace {

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

GatherNd drawGather(Draws& draws, DataType type, DataType indexType, uint32_t rank) {
  const uint32_t inputRank = drawBetween(draws, 1, rank);
  const uint32_t tupleSize = drawBetween(draws, 1, inputRank);
  const uint32_t mostTupleAxes = std::min(rank - 1, rank - (inputRank - tupleSize));
  const uint32_t tupleAxes = drawBetween(draws, 0, mostTupleAxes);
  const Sizes input = drawSizes(draws, inputRank, rank);
  const Sizes tuples = drawSizes(draws, tupleAxes, rank);
  return makeGather(type, indexType, rank, input, tuples, tupleSize);
}

GatherNd1 drawGather1(Draws& draws, DataType type, DataType indexType, uint32_t rank) {
  const uint32_t inputRank = drawBetween(draws, 1, rank);
  const uint32_t batchRank = drawBetween(draws, 0, std::min(3u, inputRank - 1));
  const uint32_t tupleSize = drawBetween(draws, 1, inputRank - batchRank);
  const uint32_t blockRank = inputRank - batchRank - tupleSize;
  const uint32_t mostTupleAxes = std::min(rank - 1, rank - blockRank);
  const uint32_t tupleAxes = drawBetween(draws, batchRank, mostTupleAxes);
  const Sizes input = drawSizes(draws, inputRank, rank);
  Sizes tuples = drawSizes(draws, tupleAxes, rank);
  std::copy_n(input.begin(), batchRank, tuples.begin());
  return makeGather1(type, indexType, rank, input, tuples, tupleSize, batchRank);
}

NonzeroCoordinates drawNonzero(Draws& draws, DataType type, uint32_t rank, Level level) {
  const uint32_t leadingOnes = draws.below(2) ? drawBetween(draws, 0, rank - 1) : 0;
  const Sizes input = rightAligned(drawSizes(draws, rank - leadingOnes, rank), rank);
  const uint32_t fewest = std::max(1u, effectiveRank(input));
  const uint32_t columns = drawBetween(draws, fewest, rank);
  if (level < Level::L4_0) return makeNonzero(type, input, columns);
  return makeNonzero(type, input, columns, drawBetween(draws, 1, 8), drawBetween(draws, 2, 8));
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

#include "gpu/operators/test/random_descriptors.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "reference/per_operator.h"

namespace dmlcts::gpu::test {

namespace {

constexpr std::array kElementTypes{DataType::Float32, DataType::Float16, DataType::UInt32,
                                   DataType::UInt16,  DataType::UInt8,   DataType::Int32,
                                   DataType::Int16,   DataType::Int8};
constexpr std::array kWideTypes{DataType::Float64, DataType::UInt64, DataType::Int64};
constexpr std::array kIndexTypes{DataType::UInt32, DataType::Int32, DataType::UInt64,
                                 DataType::Int64};

uint64_t below(Random& random, uint64_t end) { return random() % end; }

template <class List>
auto oneOf(const List& list, Random& random) {
  return list[below(random, list.size())];
}

uint64_t product(const std::vector<uint32_t>& sizes) {
  uint64_t result = 1;
  for (uint32_t size : sizes) result *= size;
  return result;
}

// `rank` sizes, whose product is at most `most`.
std::vector<uint32_t> randomSizes(size_t rank, uint64_t most, Random& random) {
  std::vector<uint32_t> sizes(rank, 1);
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  uint64_t room = std::max<uint64_t>(1, most);
  for (size_t i : order) {
    if (below(random, 4) == 0) continue;
    const uint64_t largest = below(random, 3) == 0 ? room : std::min<uint64_t>(room, 9);
    sizes[i] = static_cast<uint32_t>(1 + below(random, largest));
    room /= sizes[i];
  }
  return sizes;
}

}  // namespace

TensorDesc randomLayout(DataType type, std::vector<uint32_t> sizes, bool overlaps, Random& random) {
  TensorDesc tensor;
  tensor.type = type;
  tensor.sizes = std::move(sizes);
  const size_t rank = tensor.sizes.size();
  uint64_t last = product(tensor.sizes) - 1;
  if (below(random, 3) != 0) {
    std::vector<size_t> order(rank);
    std::iota(order.begin(), order.end(), size_t{0});
    if (below(random, 2) == 0) std::shuffle(order.begin(), order.end(), random);
    std::vector<uint32_t> strides(rank);
    uint64_t next = below(random, 3) == 0 ? 1 + below(random, 3) : 1;
    last = 0;
    for (size_t i = rank; i-- > 0;) {
      const size_t axis = order[i];
      const uint64_t size = tensor.sizes[axis];
      strides[axis] = static_cast<uint32_t>(next);
      if (overlaps && below(random, 4) == 0) {
        strides[axis] = static_cast<uint32_t>(below(random, 3));
      } else if (size > 1) {
        next *= size;
        if (below(random, 4) == 0) next += below(random, 5);
        if (below(random, 6) == 0) next = (next + 15) / 16 * 16;
      } else if (below(random, 2) == 0) {
        strides[axis] = static_cast<uint32_t>(random());  // moves nothing
      }
      last += (size - 1) * strides[axis];
    }
    tensor.strides = strides;
  }
  tensor.totalBytes = ((last + 1) * info(type).bytes + 3) / 4 * 4 + 4 * below(random, 4);
  return tensor;
}

namespace {

NonzeroCoordinates randomNonzero(const RandomShape& shape, Random& random) {
  NonzeroCoordinates op;
  const size_t rank = 1 + below(random, 8);
  const std::vector<uint32_t> sizes = randomSizes(rank, shape.mostElements, random);
  size_t leading = 0;
  while (leading < rank && sizes[leading] == 1) ++leading;
  const size_t fewest = std::max<size_t>(1, rank - leading);
  const size_t columns = fewest + below(random, rank - fewest + 1);

  op.input = randomLayout(oneOf(kElementTypes, random), sizes, true, random);
  op.count =
      randomLayout(DataType::UInt32, std::vector<uint32_t>(1 + below(random, 8), 1), false, random);
  std::vector<uint32_t> coords(2 + below(random, 7), 1);
  coords[coords.size() - 2] = static_cast<uint32_t>(product(sizes));
  coords[coords.size() - 1] = static_cast<uint32_t>(columns);
  op.coords = randomLayout(DataType::UInt32, coords, false, random);
  return op;
}

// With elements of that type, and with batch dimensions where `batches`.
GatherNd1 gatherOf(DataType type, bool batches, const RandomShape& shape, Random& random) {
  GatherNd1 op;
  const size_t rank = 1 + below(random, 8);
  const size_t inputCount = 1 + below(random, rank);
  const size_t batchCount = batches ? below(random, inputCount) : 0;
  const size_t tupleSize = 1 + below(random, inputCount - batchCount);
  const size_t sliceCount = inputCount - batchCount - tupleSize;
  const size_t most = std::min(rank, rank - sliceCount + 1);  // dimensions of the indices
  const size_t indicesCount = batchCount + 1 + below(random, most - batchCount);
  op.inputDimensionCount = static_cast<uint32_t>(inputCount);
  op.indicesDimensionCount = static_cast<uint32_t>(indicesCount);
  op.batchDimensionCount = static_cast<uint32_t>(batchCount);

  std::vector<uint32_t> input = randomSizes(inputCount, shape.mostElements, random);
  if (sliceCount > 0 && below(random, 2) == 0) {
    input.back() = static_cast<uint32_t>(16 * (1 + below(random, 4)));  // rows of whole texels
  }
  const auto batchEnd = input.begin() + static_cast<std::ptrdiff_t>(batchCount);
  const std::vector<uint32_t> slice(batchEnd + static_cast<std::ptrdiff_t>(tupleSize), input.end());
  std::vector<uint32_t> outer(input.begin(), batchEnd);
  const std::vector<uint32_t> tupleArray = randomSizes(
      indicesCount - 1 - batchCount, shape.mostElements / product(slice) / product(outer), random);
  outer.insert(outer.end(), tupleArray.begin(), tupleArray.end());
  std::vector<uint32_t> output(rank - outer.size() - slice.size(), 1);
  output.insert(output.end(), outer.begin(), outer.end());
  output.insert(output.end(), slice.begin(), slice.end());
  std::vector<uint32_t> indices(rank - indicesCount, 1);
  indices.insert(indices.end(), outer.begin(), outer.end());
  indices.push_back(static_cast<uint32_t>(tupleSize));
  input.insert(input.begin(), rank - inputCount, 1);

  op.input = randomLayout(type, input, true, random);
  op.indices = randomLayout(oneOf(kIndexTypes, random), indices, true, random);
  op.output = randomLayout(type, output, false, random);
  return op;
}

GatherNd randomGatherNd(const RandomShape& shape, Random& random) {
  const GatherNd1 op = gatherOf(oneOf(kElementTypes, random), false, shape, random);
  return {op.input, op.indices, op.output, op.inputDimensionCount, op.indicesDimensionCount};
}

GatherNd1 randomGatherNd1(const RandomShape& shape, Random& random) {
  const DataType type =
      below(random, 3) == 0 ? oneOf(kWideTypes, random) : oneOf(kElementTypes, random);
  return gatherOf(type, true, shape, random);
}

template <class Operator>
struct RandomEntry {
  Operator (*make)(const RandomShape& shape, Random& random);
};

constexpr PerOperator<RandomEntry> kRandom{
    RandomEntry<GatherNd>{randomGatherNd},
    RandomEntry<NonzeroCoordinates>{randomNonzero},
    RandomEntry<GatherNd1>{randomGatherNd1},
};

}  // namespace

Descriptor randomDescriptor(const RandomShape& shape, Random& random) {
  const uint64_t chosen = below(random, std::variant_size_v<Descriptor>);
  Descriptor descriptor;
  uint64_t place = 0;
  forEachEntry(kRandom, [&](const auto& entry) {
    if (place++ == chosen) descriptor = entry.make(shape, random);
  });
  return descriptor;
}

}  // namespace dmlcts::gpu::test

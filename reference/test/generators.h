#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "reference/gather_nd.h"
#include "reference/gather_nd1.h"
#include "reference/tensor.h"

// rapidcheck generators of small valid descriptors at level 6.4, and of bytes for their inputs.

namespace dmlcts::generators {

inline DataType dataType() {
  return *rc::gen::element(DataType::Float32, DataType::Float16, DataType::UInt32, DataType::UInt16,
                           DataType::UInt8, DataType::Int32, DataType::Int16, DataType::Int8);
}

inline std::vector<uint32_t> sizes(size_t rank, uint32_t most) {
  return *rc::gen::container<std::vector<uint32_t>>(rank, rc::gen::inRange(1u, most + 1));
}

// Packed, or strides in any order with gaps; an input may also repeat or overlap elements.
inline void layOut(TensorDesc& tensor, bool isOutput) {
  if (*rc::gen::arbitrary<bool>()) {
    std::vector<size_t> order(tensor.sizes.size());
    std::iota(order.begin(), order.end(), size_t{0});
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[*rc::gen::inRange<size_t>(0, i)]);
    }
    std::vector<uint32_t> strides(order.size());
    uint32_t next = 1;
    for (size_t axis : order) {
      const uint32_t gap = *rc::gen::inRange(0u, 3u);
      strides[axis] = next + gap;
      next = strides[axis] * tensor.sizes[axis];
    }
    if (!isOutput && *rc::gen::arbitrary<bool>()) {
      strides[*rc::gen::inRange<size_t>(0, strides.size())] = *rc::gen::inRange(0u, 3u);
    }
    tensor.strides = strides;
  }
  tensor.totalBytes = minimumTotalBytes(tensor).value() + 4 * *rc::gen::inRange(0u, 3u);
}

inline GatherNd gatherNd() {
  GatherNd op;
  const size_t rank = *rc::gen::inRange<size_t>(1, 9);
  op.inputDimensionCount = *rc::gen::inRange<uint32_t>(1, static_cast<uint32_t>(rank) + 1);
  const uint32_t tuple = *rc::gen::inRange<uint32_t>(1, op.inputDimensionCount + 1);
  const uint32_t block = op.inputDimensionCount - tuple;
  const auto mostIndices = static_cast<uint32_t>(std::min<size_t>(rank, rank - block + 1));
  op.indicesDimensionCount = *rc::gen::inRange<uint32_t>(1, mostIndices + 1);
  const auto padded = [rank](std::vector<uint32_t> meaningful) {
    meaningful.insert(meaningful.begin(), rank - meaningful.size(), 1);
    return meaningful;
  };
  op.input.type = op.output.type = dataType();
  op.input.sizes = padded(sizes(op.inputDimensionCount, 3));
  op.indices.type =
      *rc::gen::element(DataType::UInt32, DataType::Int32, DataType::UInt64, DataType::Int64);
  op.indices.sizes = padded(sizes(op.indicesDimensionCount, 3));
  op.indices.sizes.back() = tuple;
  op.output.sizes.resize(rank);
  op.output.sizes = gatherNdOutputSizes(op);
  layOut(op.input, false);
  layOut(op.indices, false);
  layOut(op.output, true);
  return op;
}

inline GatherNd1 gatherNd1() {
  const auto number = [](size_t least, size_t most) {
    return static_cast<uint32_t>(*rc::gen::inRange<size_t>(least, most + 1));
  };
  GatherNd1 op;
  const size_t rank = number(1, 8);
  op.inputDimensionCount = number(1, rank);
  op.batchDimensionCount = number(0, op.inputDimensionCount - 1);
  const uint32_t tuple = number(1, op.inputDimensionCount - op.batchDimensionCount);
  const uint32_t block = op.inputDimensionCount - op.batchDimensionCount - tuple;
  op.indicesDimensionCount = number(op.batchDimensionCount + 1, std::min(rank, rank - block + 1));
  const auto padded = [rank](std::vector<uint32_t> meaningful) {
    meaningful.insert(meaningful.begin(), rank - meaningful.size(), 1);
    return meaningful;
  };
  op.input.type = op.output.type =
      *rc::gen::element(DataType::Float32, DataType::Float16, DataType::UInt8, DataType::Int16,
                        DataType::Float64, DataType::UInt64, DataType::Int64);
  op.indices.type =
      *rc::gen::element(DataType::UInt32, DataType::Int32, DataType::UInt64, DataType::Int64);
  std::vector<uint32_t> input = sizes(op.inputDimensionCount, 3);
  std::vector<uint32_t> indices = sizes(op.indicesDimensionCount, 3);
  std::copy_n(input.begin(), op.batchDimensionCount, indices.begin());
  op.input.sizes = padded(input);
  op.indices.sizes = padded(indices);
  op.indices.sizes.back() = tuple;
  op.output.sizes.resize(rank);
  op.output.sizes = gatherNd1OutputSizes(op);
  layOut(op.input, false);
  layOut(op.indices, false);
  layOut(op.output, true);
  return op;
}

inline NonzeroCoordinates nonzeroCoordinates() {
  NonzeroCoordinates op;
  op.input.type = dataType();
  op.input.sizes = sizes(*rc::gen::inRange<size_t>(1, 9), 3);
  const uint32_t fewest = std::max(1u, effectiveRank(op.input.sizes));
  const auto rank = static_cast<uint32_t>(op.input.sizes.size());
  op.count = {DataType::UInt32, std::vector<uint32_t>(*rc::gen::inRange<size_t>(1, 9), 1), {}, 4};
  op.coords.type = DataType::UInt32;
  op.coords.sizes.assign(*rc::gen::inRange<size_t>(2, 9), 1);
  op.coords.sizes.back() = *rc::gen::inRange(fewest, rank + 1);
  op.coords.sizes[op.coords.sizes.size() - 2] =
      static_cast<uint32_t>(elementCount(op.input.sizes).value());
  layOut(op.input, false);
  layOut(op.count, true);
  layOut(op.coords, true);
  return op;
}

// Bytes of which about half are 0 or 0x80, so that zeros of both signs are common.
inline std::vector<uint8_t> bytes(size_t count) {
  return *rc::gen::container<std::vector<uint8_t>>(
      count, rc::gen::weightedOneOf<uint8_t>({{4, rc::gen::just(uint8_t{0})},
                                              {2, rc::gen::just(uint8_t{0x80})},
                                              {3, rc::gen::arbitrary<uint8_t>()}}));
}

// Indices of which most are in range, some negative and some not in range at all.
inline std::vector<uint8_t> indexBytes(const TensorDesc& indices) {
  std::vector<uint8_t> result(indices.totalBytes, 0);
  const uint32_t width = info(indices.type).bytes;
  for (size_t at = 0; at + width <= result.size(); at += width) {
    const int64_t value = *rc::gen::weightedOneOf<int64_t>(
        {{12, rc::gen::inRange<int64_t>(-3, 3)}, {1, rc::gen::arbitrary<int64_t>()}});
    for (uint32_t i = 0; i < width; ++i) {
      result[at + i] = static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i));
    }
  }
  return result;
}

}  // namespace dmlcts::generators

#pragma once

#include <cstdint>
#include <vector>

#include "conformance/cases/fill.h"
#include "conformance/cases/layout.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// Descriptors for families to start from.

namespace dmlcts {

using Sizes = std::vector<uint32_t>;

inline constexpr Level kNewestLevel = kLevels.back();

// The 8 data types that all operators' documents list.
const std::vector<DataType>& documentedTypes();

// FLOAT64, UINT64, INT64: GATHER_ND1 has them from level 4.1 on.
const std::vector<DataType>& wideTypes();

// Both.
const std::vector<DataType>& everyType();

// The index types of GATHER_ND at that level. From level 3.0 on they are also GATHER_ND1's.
const std::vector<DataType>& indexTypes(Level level);

// What an operator's document lists at a level; nothing when the operator does not exist there.
std::vector<DataType> gatherTypes(Level level);  // of the input
std::vector<DataType> gather1Types(Level level);
std::vector<DataType> nonzeroTypes(Level level);
std::vector<DataType> gatherIndexTypes(Level level);
std::vector<DataType> gather1IndexTypes(Level level);
std::vector<uint32_t> gatherRanks(Level level);  // DimensionCounts of the input
std::vector<uint32_t> gather1Ranks(Level level);
std::vector<uint32_t> nonzeroRanks(Level level);

// The levels at which an input may have that many dimensions.
std::vector<Level> gatherLevels(uint32_t rank);
std::vector<Level> nonzeroLevels(uint32_t rank);

// sizes behind as many 1s as it takes to have `rank` dimensions.
Sizes rightAligned(const Sizes& sizes, size_t rank);

Sizes concatenated(Sizes a, const Sizes& b);

// A packed GATHER_ND: `input` are the meaningful input sizes, `tuples` the sizes of the array of
// index tuples, `rank` the DimensionCount of the three tensors.
GatherNd makeGather(DataType type, DataType indexType, size_t rank, const Sizes& input,
                    const Sizes& tuples, uint32_t tupleSize);

// A packed GATHER_ND1. The first `batchRank` sizes of `input` and of `tuples` are the batch
// dimensions: the same in both.
GatherNd1 makeGather1(DataType type, DataType indexType, size_t rank, const Sizes& input,
                      const Sizes& tuples, uint32_t tupleSize, uint32_t batchRank);

// The GATHER_ND1 without batch dimensions that computes what the GATHER_ND does.
GatherNd1 withoutBatches(const GatherNd& op);

// A packed NONZERO_COORDINATES. The outputs have the input's DimensionCount, or 2 where
// coordinates need that.
NonzeroCoordinates makeNonzero(DataType type, const Sizes& input, uint32_t columns);
NonzeroCoordinates makeNonzero(DataType type, const Sizes& input, uint32_t columns,
                               size_t countRank, size_t coordsRank);

// The tensor packed, with other sizes or another type, and the smallest total size.
void resize(TensorDesc& tensor, Sizes sizes);
void retype(TensorDesc& tensor, DataType type);

Sizes withSize(Sizes sizes, size_t axis, uint32_t size);

// The tensor with those strides and the smallest total size.
void setStrides(TensorDesc& tensor, const Sizes& strides);
void setLayout(TensorDesc& tensor, LayoutKind kind, const Sizes& arguments = {});

// Axes from the last to the first: perm(reversed) makes row-major column-major.
Sizes reversedAxes(size_t rank);
// The last axis first, then the others in order.
Sizes rotatedAxes(size_t rank);

inline Fill fill(FillKind kind, uint64_t number = 0) { return {kind, number, {}}; }
// density(millionths / 1000000)
inline Fill density(uint64_t millionths) { return {FillKind::Density, millionths, {}}; }
inline IndexFill index(IndexKind kind) { return {kind, {}}; }

// The entry of a list that a running number falls on.
template <class T>
const T& rotate(const std::vector<T>& list, uint64_t number) {
  return list[number % list.size()];
}

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <vector>

#include "conformance/language/fill.h"
#include "conformance/language/layout.h"
#include "conformance/language/operator_syntax.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// Builds descriptors for families to start from.

namespace dmlcts {

using Sizes = std::vector<uint32_t>;

inline constexpr Level kNewestLevel = kLevels.back();

// The 8 data types that every operator's document lists.
const std::vector<DataType>& documentedTypes();

// documentedTypes(), and FLOAT64, UINT64 and INT64: in GATHER_ND1 from level 4.1.
const std::vector<DataType>& everyType();

// The index types of GATHER_ND at that level; from level 3.0 also GATHER_ND1's.
const std::vector<DataType>& indexTypes(Level level);

// Lists of the operator's document at a level; empty if the operator does not exist there.
std::vector<DataType> gatherTypes(Level level);  // of the input
std::vector<DataType> gather1Types(Level level);
std::vector<DataType> nonzeroTypes(Level level);
std::vector<DataType> gatherIndexTypes(Level level);
std::vector<DataType> gather1IndexTypes(Level level);
std::vector<uint32_t> gatherRanks(Level level);  // DimensionCounts of the input
std::vector<uint32_t> gather1Ranks(Level level);
std::vector<uint32_t> nonzeroRanks(Level level);

// Returns the levels at which an input of NONZERO_COORDINATES may have `rank` dimensions.
std::vector<Level> nonzeroLevels(uint32_t rank);

// Prepends 1s to `sizes` up to `rank` dimensions.
Sizes rightAligned(const Sizes& sizes, size_t rank);

Sizes concatenated(Sizes a, const Sizes& b);

// Builds a packed GATHER_ND. `input`: meaningful input sizes; `tuples`: sizes of the array of index
// tuples; `rank`: DimensionCount of all three tensors.
GatherNd makeGather(DataType type, DataType indexType, size_t rank, const Sizes& input,
                    const Sizes& tuples, uint32_t tupleSize);

// Builds a packed GATHER_ND1. The first `batchRank` sizes of `input` and of `tuples` are the batch
// dimensions, the same in both.
GatherNd1 makeGather1(DataType type, DataType indexType, size_t rank, const Sizes& input,
                      const Sizes& tuples, uint32_t tupleSize, uint32_t batchRank);

struct GatherShape {
  Sizes input;   // batch dimensions, indexed dimensions, block
  Sizes tuples;  // the array of index tuples: the batch dimensions, then others
  uint32_t tupleSize;
  uint32_t batchRank = 0;  // BatchDimensionCount; 0 for an operator without
};

// Builds a packed gather of that shape.
template <HasTuples Operator>
Operator makeOfShape(DataType type, DataType indexType, size_t rank, const GatherShape& shape) {
  if constexpr (HasBatches<Operator>) {
    return makeGather1(type, indexType, rank, shape.input, shape.tuples, shape.tupleSize,
                       shape.batchRank);
  } else {
    return makeGather(type, indexType, rank, shape.input, shape.tuples, shape.tupleSize);
  }
}

// Returns the GATHER_ND1 without batch dimensions that computes the same.
GatherNd1 withoutBatches(const GatherNd& op);

// Builds a packed NONZERO_COORDINATES. By default the outputs have the input's DimensionCount, and
// coordinates at least 2.
NonzeroCoordinates makeNonzero(DataType type, const Sizes& input, uint32_t columns);
NonzeroCoordinates makeNonzero(DataType type, const Sizes& input, uint32_t columns,
                               size_t countRank, size_t coordsRank);

// Packs the tensor with other sizes or another type, and sets the smallest total size.
void resize(TensorDesc& tensor, Sizes sizes);
void retype(TensorDesc& tensor, DataType type);

Sizes withSize(Sizes sizes, size_t axis, uint32_t size);

// Gives the tensor these strides and the smallest total size.
void setStrides(TensorDesc& tensor, const Sizes& strides);
void setLayout(TensorDesc& tensor, LayoutKind kind, const Sizes& arguments = {});

// Returns axes from last to first: perm(reversed) makes row-major column-major.
Sizes reversedAxes(size_t rank);
// Returns the last axis, then the others in order.
Sizes rotatedAxes(size_t rank);

inline Fill fill(FillKind kind, uint64_t number = 0) { return {kind, number, {}}; }
// Density of millionths / 1,000,000.
inline Fill density(uint64_t millionths) { return {FillKind::Density, millionths, {}}; }
inline IndexFill index(IndexKind kind) { return {kind, {}}; }

// Returns the list's entry at `number`, modulo its length.
template <class T>
const T& rotate(const std::vector<T>& list, uint64_t number) {
  return list[number % list.size()];
}

}  // namespace dmlcts

// GATHER_ND1's batch dimensions: their number, sizes and layouts in each tensor, at the limits of
// BatchDimensionCount and tuple size. Batches have different indices, to expose indices of another
// batch, another tensor's batch stride and omitted batches.

#include <algorithm>

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"

namespace dmlcts {
namespace {

struct BatchedShape {
  Sizes batches;
  Sizes others;  // of the array of tuples, after the batches
  Sizes indexed;
  Sizes block;
};

template <HasBatches Operator>
Operator make(DataType type, DataType indexType, size_t rank, const BatchedShape& shape) {
  return makeOfShape<Operator>(
      type, indexType, rank,
      {concatenated(concatenated(shape.batches, shape.indexed), shape.block),
       concatenated(shape.batches, shape.others), static_cast<uint32_t>(shape.indexed.size()),
       static_cast<uint32_t>(shape.batches.size())});
}

size_t neededRank(const BatchedShape& shape) {
  const size_t batches = shape.batches.size();
  return std::max({batches + shape.indexed.size() + shape.block.size(),
                   batches + shape.others.size() + 1,
                   batches + shape.others.size() + shape.block.size()});
}

struct Turn {
  DataType type;
  Level level;
  DataType indexType;
};

template <HasBatches Operator>
Turn turnFor(uint64_t i, size_t rank) {
  const DataType type = rotate(everyType(), i);
  const Level level = rotate(levelsOf<Operator>(type, static_cast<uint32_t>(rank)), i / 3);
  return {type, level, rotate(indexTypes(level), i / 2)};
}

IndexFill spelled(DataType indexType, uint64_t i) {
  static const std::vector<IndexKind> kSigned{IndexKind::Negative, IndexKind::AllNegative,
                                              IndexKind::Boundary, IndexKind::Random};
  static const std::vector<IndexKind> kUnsigned{IndexKind::Random, IndexKind::Boundary,
                                                IndexKind::Reversed};
  return index(rotate(info(indexType).isSigned ? kSigned : kUnsigned, i));
}

// Every number of batch dimensions with every arrangement of the others: scalars, rows and blocks,
// one tuple per batch or many, with and without ignored leading dimensions.
template <HasBatches Operator>
void addCounts(CaseList& list, uint64_t& i) {
  const std::vector<Sizes> batchSizes{{},        {1},       {2},          {5},       {33},
                                      {2, 3},    {3, 1},    {1, 4},       {7, 9},    {2, 3, 4},
                                      {3, 1, 2}, {1, 1, 5}, {2, 2, 3, 2}, {1, 1, 1}, {2, 3, 1, 2}};
  for (const Sizes& batches : batchSizes) {
    for (const Sizes& others : {Sizes{}, Sizes{4}, Sizes{3, 2}}) {
      for (const Sizes& indexed : {Sizes{7}, Sizes{5, 3}, Sizes{3, 2, 4}}) {
        for (const Sizes& block : {Sizes{}, Sizes{6}, Sizes{2, 5}}) {
          const BatchedShape shape{batches, others, indexed, block};
          const size_t rank = neededRank(shape);
          if (rank > 8) continue;
          const size_t padded = std::min<size_t>(8, rank + i % 3);
          const auto [type, level, indexType] = turnFor<Operator>(i, padded);
          list.execute(level, make<Operator>(type, indexType, padded, shape),
                       fill(FillKind::Unique), spelled(indexType, i / 4), i % 2);
          ++i;
        }
      }
    }
  }
}

// Numbers of batches around the sizes of groups and words.
template <HasBatches Operator>
void addSizes(CaseList& list, uint64_t& i) {
  for (uint32_t batches :
       {2u,  3u,   4u,   7u,   8u,   15u,  16u,  31u,   32u,   33u,   63u,    64u,
        65u, 127u, 128u, 129u, 255u, 256u, 257u, 1023u, 1025u, 4097u, 65'537u}) {
    for (const auto& [others, block] : {std::pair{Sizes{}, Sizes{}}, std::pair{Sizes{}, Sizes{3}},
                                        std::pair{Sizes{5}, Sizes{}}}) {
      const BatchedShape shape{{batches}, others, {11}, block};
      const auto [type, level, indexType] = turnFor<Operator>(i, 3);
      list.execute(level, make<Operator>(type, indexType, 3, shape), fill(FillKind::Unique),
                   spelled(indexType, i));
      if (batches == 65'537 && block.empty() && others.empty()) list.keepInSmoke();
      ++i;
    }
  }
}

// Batch dimensions ordered and spaced differently in each tensor.
template <HasBatches Operator>
void addLayouts(CaseList& list, uint64_t& i) {
  const std::vector<BatchedShape> shapes{{{3}, {4}, {5}, {2}},
                                         {{2, 3}, {4}, {5}, {}},
                                         {{4}, {}, {3, 5}, {6}},
                                         {{2, 3, 2}, {3}, {5}, {3}}};
  for (const BatchedShape& shape : shapes) {
    const size_t rank = neededRank(shape) + 1;
    for (size_t tensor = 0; tensor < 3; ++tensor) {
      for (size_t layout = 0; layout < 6; ++layout) {
        for (uint64_t variation = 0; variation < 3; ++variation, ++i) {
          const auto [type, level, indexType] = turnFor<Operator>(i, rank);
          Operator op = make<Operator>(type, indexType, rank, shape);
          TensorDesc& strided = *std::array{&op.input, &op.indices, &op.output}[tensor];
          const auto batchAxis = static_cast<uint32_t>(
              tensor == 0   ? rank - op.inputDimensionCount
              : tensor == 1 ? rank - op.indicesDimensionCount
                            : rank - (op.indicesDimensionCount - 1) - shape.block.size());
          const bool isOutput = tensor == 2;
          if (layout == 0) setLayout(strided, LayoutKind::Perm, reversedAxes(rank));
          if (layout == 1) setLayout(strided, LayoutKind::Perm, rotatedAxes(rank));
          if (layout == 2) setLayout(strided, LayoutKind::Pad, {3});
          if (layout == 3) setLayout(strided, LayoutKind::Step, {3});
          // Inputs: all batches share one batch. Outputs: a gap after each batch.
          if (layout == 4 && !isOutput) setLayout(strided, LayoutKind::Broadcast, {batchAxis});
          if (layout == 5 || (layout == 4 && isOutput)) {
            Sizes strides = layoutStrides({LayoutKind::Packed, {}}, strided.sizes).value();
            for (size_t axis = 0; axis <= batchAxis; ++axis) {
              strides[axis] += static_cast<uint32_t>((layout == 5 ? 7 : 1) * strided.sizes.back());
            }
            if (shape.batches.size() > 1) strides[batchAxis] *= 2;
            setStrides(strided, strides);
          }
          list.execute(level, op, fill(FillKind::Unique), spelled(indexType, i / 3), variation);
        }
      }
    }
  }
}

// Every BatchDimensionCount in every DimensionCount that ignores no dimension: up to I - 1 (tuples
// of one index) and Q - 1 (one tuple per batch), and fewer (many tuples). Tuples of one index and
// of all I - B, with and without a block. Also an indexed dimension of size 1.
template <HasBatches Operator>
void addMostBatches(CaseList& list, uint64_t& i) {
  for (uint32_t rank = 1; rank <= 8; ++rank) {
    for (uint32_t batchRank = 0; batchRank < rank; ++batchRank) {
      const uint32_t behind = rank - batchRank;
      const Sizes batches(batchRank, 2);
      const Sizes mostOthers(behind - 1, 2);
      for (const BatchedShape& shape :
           {BatchedShape{batches, {}, Sizes(behind, 3), {}},
            BatchedShape{batches, mostOthers, Sizes(behind, 3), {}},
            BatchedShape{batches, {}, {5}, Sizes(behind - 1, 2)},
            BatchedShape{batches, mostOthers, {5}, Sizes(behind > 1 ? 1 : 0, 2)},
            BatchedShape{batches, {}, {1}, Sizes(behind - 1, 3)}}) {
        const auto [type, level, indexType] = turnFor<Operator>(i, rank);
        list.execute(level, make<Operator>(type, indexType, rank, shape), fill(FillKind::Unique),
                     spelled(indexType, i), i % 5);
        ++i;
      }
    }
  }
}

// Negative indices count from the end of the indexed dimension, not of the batch dimension at its
// position. All dimensions differ in size.
template <HasBatches Operator>
void addNegative(CaseList& list, uint64_t& i) {
  const std::vector<BatchedShape> shapes{{{5}, {3}, {7}, {}},
                                         {{5}, {3}, {2}, {}},
                                         {{2, 3}, {4}, {9, 5}, {}},
                                         {{2, 9}, {4}, {3, 5}, {2}},
                                         {{4, 3, 2}, {}, {5, 6}, {3}}};
  for (const BatchedShape& shape : shapes) {
    const size_t rank = neededRank(shape);
    for (DataType indexType : {DataType::Int32, DataType::Int64}) {
      for (IndexKind kind : {IndexKind::AllNegative, IndexKind::Negative, IndexKind::Boundary}) {
        for (uint64_t variation = 0; variation < 3; ++variation, ++i) {
          const auto turn = turnFor<Operator>(i, rank);
          list.execute(turn.level, make<Operator>(turn.type, indexType, rank, shape),
                       fill(FillKind::Unique), index(kind), variation);
        }
      }
    }
  }
}

template <HasBatches Operator>
void addBatchesOf(CaseList& list) {
  uint64_t i = 0;
  addCounts<Operator>(list, i);
  addSizes<Operator>(list, i);
  addLayouts<Operator>(list, i);
  addMostBatches<Operator>(list, i);
  addNegative<Operator>(list, i);
}

}  // namespace

void addBatches(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    visitKind(
        *op,
        [&]<class Operator>(const Operator&) {
          if constexpr (HasBatches<Operator>) addBatchesOf<Operator>(list);
        },
        kNoCases);
  }
}

}  // namespace dmlcts

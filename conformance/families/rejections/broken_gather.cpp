// Breaks GATHER_ND and GATHER_ND1 descriptors of a documented data type and dimension count, one
// rule at a time. Other ways to break it are in borders.cpp.

#include <algorithm>
#include <type_traits>

#include "conformance/families/gather_parts.h"

namespace dmlcts {
namespace {

Sizes withLeadingOne(const Sizes& sizes) { return concatenated({1}, sizes); }
Sizes withoutLeading(const Sizes& sizes) { return {sizes.begin() + 1, sizes.end()}; }

template <class Operator>
void addTypes(Breaks<Operator>& breaks, const Operator& op, Level level) {
  const auto& valid = indexTypes(level);
  for (const DataTypeInfo& type : kDataTypes) {
    if (type.type == DataType::Unknown) continue;
    if (std::ranges::find(valid, type.type) == valid.end()) {
      breaks.add(level < Level::L3_0 ? gatherRule<Operator>("index-types-2.1")
                                     : gatherRule<Operator>("index-types"),
                 [&](Operator& wrong) { retype(wrong.indices, type.type); });
    }
    if (type.type != op.input.type) {
      breaks.add(gatherRule<Operator>("output-type"),
                 [&](Operator& wrong) { retype(wrong.output, type.type); });
    }
  }
}

template <class Operator>
void addDimensionCounts(Breaks<Operator>& breaks, const Operator& op, Level level) {
  const size_t rank = op.input.sizes.size();
  // At 2.1 any DimensionCount but 4 breaks gather_nd.rank-2.1 as well.
  if (level >= Level::L3_0) {
    const std::string_view rule = gatherRule<Operator>("dimension-counts");
    if (rank < 8) {
      breaks.add(rule, [](Operator& w) { resize(w.indices, withLeadingOne(w.indices.sizes)); });
      breaks.add(rule, [](Operator& w) { resize(w.output, withLeadingOne(w.output.sizes)); });
    }
    if (rank > 1 && op.indicesDimensionCount < rank) {
      breaks.add(rule, [](Operator& w) { resize(w.indices, withoutLeading(w.indices.sizes)); });
    }
    const size_t needed = gatherOf(op).indicesRank - 1 + gatherOf(op).blockRank();
    if (rank > 1 && needed < rank) {
      breaks.add(rule, [](Operator& w) { resize(w.output, withoutLeading(w.output.sizes)); });
    }
  }
  for (const auto& [rule, member] :
       {std::pair{gatherRule<Operator>("input-dimension-count"), &Operator::inputDimensionCount},
        std::pair{gatherRule<Operator>("indices-dimension-count"),
                  &Operator::indicesDimensionCount}}) {
    for (uint32_t wrongCount : {0u, static_cast<uint32_t>(rank + 1)}) {
      // Clang before 16 cannot capture a structured binding directly.
      breaks.add(rule,
                 [wrongCount, count = member](Operator& wrong) { wrong.*count = wrongCount; });
    }
  }
}

template <class Operator>
void addSizes(Breaks<Operator>& breaks, const Operator& op) {
  const size_t rank = op.input.sizes.size();
  const size_t firstMeaningful = rank - op.inputDimensionCount;
  const size_t firstIndexed = firstMeaningful + gatherOf(op).batchRank;
  const size_t tupleSize = op.indices.sizes.back();

  // An indexed dimension of size 0 does not change the output's sizes.
  for (size_t axis = firstIndexed; axis < firstIndexed + tupleSize; ++axis) {
    breaks.add("tensor.sizes-nonzero",
               [&](Operator& wrong) { resize(wrong.input, withSize(wrong.input.sizes, axis, 0)); });
  }

  for (size_t axis = 0; axis < firstMeaningful; ++axis) {
    breaks.add(gatherRule<Operator>("input-leading-ones"),
               [&](Operator& wrong) { resize(wrong.input, withSize(wrong.input.sizes, axis, 2)); });
  }
  for (size_t axis = 0; axis < rank - op.indicesDimensionCount; ++axis) {
    breaks.add(gatherRule<Operator>("indices-leading-ones"), [&](Operator& wrong) {
      resize(wrong.indices, withSize(wrong.indices.sizes, axis, 3));
    });
  }

  const auto mostCoordinates = static_cast<uint32_t>(rank - firstIndexed);
  const std::string_view tuples = gatherRule<Operator>("tuple-size");
  const std::string_view meaningful = gatherRule<Operator>("tuple-size-meaningful");
  breaks.inOrder({tuples, meaningful});
  for (uint32_t excess : {1u, 2u, 7u}) {
    const uint32_t coordinates = mostCoordinates + excess;
    breaks.add(coordinates > rank ? tuples : meaningful, [&](Operator& wrong) {
      resize(wrong.indices, withSize(wrong.indices.sizes, rank - 1, coordinates));
    });
  }

  // One coordinate per tuple leaves too many dimensions to copy. No such shape exists with fewer
  // than 3 dimensions after the batches.
  if (op.inputDimensionCount == rank && op.indicesDimensionCount == rank && mostCoordinates >= 3) {
    breaks.add(gatherRule<Operator>("output-rank"), [&](Operator& wrong) {
      resize(wrong.indices, withSize(wrong.indices.sizes, rank - 1, 1));
    });
  }

  for (size_t axis = 0; axis < rank; ++axis) {
    breaks.add(gatherRule<Operator>("output-sizes"), [&](Operator& wrong) {
      resize(wrong.output, withSize(wrong.output.sizes, axis, wrong.output.sizes[axis] + 1));
    });
  }
}

// Needs two elements that can overlap; here, one-dimensional tensors have only one.
template <class Operator>
void addOverlaps(Breaks<Operator>& breaks, const Operator& op) {
  const Sizes& sizes = op.output.sizes;
  const Sizes packed = layoutStrides({LayoutKind::Packed, {}}, sizes).value();
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] == 1) continue;
    breaks.add("tensor.output-no-overlap",
               [&](Operator& w) { setStrides(w.output, withSize(packed, axis, 0)); });
  }
}

template <HasBatches Operator>
void addBatchCounts(Breaks<Operator>& breaks, const Operator& op) {
  const auto rank = static_cast<uint32_t>(op.input.sizes.size());
  const uint32_t fewer = std::min(op.inputDimensionCount, op.indicesDimensionCount);
  const uint32_t more = std::max(op.inputDimensionCount, op.indicesDimensionCount);
  const std::string_view counts = gatherRule<Operator>("batch-dimension-count");
  const std::string_view meaningful = gatherRule<Operator>("batch-dimension-count-meaningful");
  breaks.inOrder({counts, meaningful});
  for (uint32_t wrongCount : {fewer, more, rank, rank + 1, 0x80000000u, UINT32_MAX}) {
    breaks.add(wrongCount < rank ? meaningful : counts,
               [&](Operator& wrong) { wrong.batchDimensionCount = wrongCount; });
  }
}

template <class Operator>
BreakableDescriptor breakable(const Operator& op, Level level) {
  Breaks<Operator> breaks(op);
  addTypes(breaks, op, level);
  addDimensionCounts(breaks, op, level);
  addSizes(breaks, op);
  addOverlaps(breaks, op);
  if constexpr (HasBatches<Operator>) addBatchCounts(breaks, op);
  return std::move(breaks).descriptor();
}

}  // namespace

std::vector<BreakableDescriptor> breakableGather(DataType type, uint32_t rank, Level level) {
  const DataType indexType = rotate(indexTypes(level), rank + static_cast<uint64_t>(type));
  // Uses all dimensions: a full array of tuples, the last input dimension copied.
  Sizes fullInput(rank, 2);
  fullInput.back() = 3;
  const uint32_t fullTuple = std::max(1u, rank - 1);
  const GatherNd full = makeGather(type, indexType, rank, fullInput, Sizes(rank - 1, 2), fullTuple);
  // One dimension less for input and indices: leading 1s everywhere.
  const uint32_t looseRank = std::max(1u, rank - 1);
  const GatherNd loose = makeGather(type, indexType, rank, Sizes(looseRank, rank == 1 ? 5 : 2),
                                    Sizes(looseRank - 1, 2), std::max(1u, looseRank - 1));
  return {breakable(full, level), breakable(loose, level)};
}

std::vector<BreakableDescriptor> breakableGather1(DataType type, uint32_t rank, Level level) {
  const DataType indexType = rotate(indexTypes(level), rank + static_cast<uint64_t>(type));
  const auto withBatches = [&](const Sizes& input, const Sizes& tuples, uint32_t batchRank) {
    // Indexes all but one of the dimensions after the batches, at least one.
    const auto behind = static_cast<uint32_t>(input.size()) - batchRank;
    return breakable(
        makeGather1(type, indexType, rank, input, tuples, std::max(1u, behind - 1), batchRank),
        level);
  };
  Sizes fullInput(rank, 2);
  fullInput.back() = 3;
  const uint32_t looseRank = std::max(1u, rank - 1);
  return {withBatches(fullInput, Sizes(rank - 1, 2), rank < 4 ? (rank == 1 ? 0 : 1) : 2),
          withBatches(Sizes(looseRank, rank == 1 ? 5 : 2), Sizes(looseRank - 1, 2),
                      looseRank == 1 ? 0 : 1)};
}

}  // namespace dmlcts

// What can be wrong with a GATHER_ND descriptor of a documented data type and dimension count, one
// thing at a time.

#include <algorithm>

#include "conformance/cases/families/broken.h"
#include "conformance/cases/families/build.h"

namespace dmlcts {
namespace {

using Variants = BrokenVariants<GatherNd>;

Sizes withLeadingOne(const Sizes& sizes) { return concatenated({1}, sizes); }
Sizes withoutLeading(const Sizes& sizes) { return {sizes.begin() + 1, sizes.end()}; }

void addTypes(std::vector<Broken>& all, const GatherNd& op, Level level) {
  const auto& valid = indexTypes(level);
  Variants indices(level < Level::L3_0 ? "gather_nd.index-types-2.1" : "gather_nd.index-types", op);
  Variants output("gather_nd.output-type", op);
  for (const DataTypeInfo& type : kDataTypes) {
    if (type.type == DataType::Unknown) continue;
    if (std::ranges::find(valid, type.type) == valid.end()) {
      indices.add([&](GatherNd& wrong) { retype(wrong.indices, type.type); });
    }
    if (type.type != op.input.type) {
      output.add([&](GatherNd& wrong) { retype(wrong.output, type.type); });
    }
  }
  indices.addTo(all);
  output.addTo(all);
}

void addDimensionCounts(std::vector<Broken>& all, const GatherNd& op, Level level) {
  const size_t rank = op.input.sizes.size();
  // At 2.1 another DimensionCount than 4 breaks gather_nd.rank-2.1 as well.
  if (level >= Level::L3_0) {
    Variants counts("gather_nd.dimension-counts", op);
    if (rank < 8) {
      counts.add([](GatherNd& w) { resize(w.indices, withLeadingOne(w.indices.sizes)); });
      counts.add([](GatherNd& w) { resize(w.output, withLeadingOne(w.output.sizes)); });
    }
    if (rank > 1 && op.indicesDimensionCount < rank) {
      counts.add([](GatherNd& w) { resize(w.indices, withoutLeading(w.indices.sizes)); });
    }
    const size_t needed =
        op.indicesDimensionCount - 1 + op.inputDimensionCount - op.indices.sizes.back();
    if (rank > 1 && needed < rank) {
      counts.add([](GatherNd& w) { resize(w.output, withoutLeading(w.output.sizes)); });
    }
    counts.addTo(all);
  }
  for (const auto& [rule, member] :
       {std::pair{"gather_nd.input-dimension-count", &GatherNd::inputDimensionCount},
        std::pair{"gather_nd.indices-dimension-count", &GatherNd::indicesDimensionCount}}) {
    Variants counts(rule, op);
    for (uint32_t wrongCount : {0u, static_cast<uint32_t>(rank + 1), 9u, 0x80000000u, UINT32_MAX}) {
      if (wrongCount == 9 && rank == 8) continue;
      // Clang before 16 cannot capture a structured binding as it is.
      counts.add([wrongCount, count = member](GatherNd& wrong) { wrong.*count = wrongCount; });
    }
    counts.addTo(all);
  }
}

void addSizes(std::vector<Broken>& all, const GatherNd& op) {
  const size_t rank = op.input.sizes.size();
  const size_t firstIndexed = rank - op.inputDimensionCount;
  const size_t tupleSize = op.indices.sizes.back();

  // An indexed dimension of size 0 leaves the output's sizes as they were.
  Variants zeros("tensor.sizes-nonzero", op);
  for (size_t axis = firstIndexed; axis < firstIndexed + tupleSize; ++axis) {
    zeros.add([&](GatherNd& wrong) { resize(wrong.input, withSize(wrong.input.sizes, axis, 0)); });
  }
  zeros.addTo(all);

  Variants inputOnes("gather_nd.input-leading-ones", op);
  for (size_t axis = 0; axis < firstIndexed; ++axis) {
    inputOnes.add(
        [&](GatherNd& wrong) { resize(wrong.input, withSize(wrong.input.sizes, axis, 2)); });
  }
  inputOnes.addTo(all);
  Variants indicesOnes("gather_nd.indices-leading-ones", op);
  for (size_t axis = 0; axis < rank - op.indicesDimensionCount; ++axis) {
    indicesOnes.add(
        [&](GatherNd& wrong) { resize(wrong.indices, withSize(wrong.indices.sizes, axis, 3)); });
  }
  indicesOnes.addTo(all);

  Variants tuples("gather_nd.tuple-size", op);
  for (uint32_t excess : {1u, 2u, 7u}) {
    tuples.add([&](GatherNd& wrong) {
      resize(wrong.indices,
             withSize(wrong.indices.sizes, rank - 1, wrong.inputDimensionCount + excess));
    });
  }
  tuples.addTo(all);

  // One coordinate per tuple leaves too many dimensions to copy. With fewer than 3 dimensions
  // there is no such shape.
  if (op.inputDimensionCount == rank && op.indicesDimensionCount == rank && rank >= 3) {
    Variants("gather_nd.output-rank", op)
        .add([&](GatherNd& wrong) {
          resize(wrong.indices, withSize(wrong.indices.sizes, rank - 1, 1));
        })
        .addTo(all);
  }

  Variants outputs("gather_nd.output-sizes", op);
  for (size_t axis = 0; axis < rank; ++axis) {
    outputs.add([&](GatherNd& wrong) {
      resize(wrong.output, withSize(wrong.output.sizes, axis, wrong.output.sizes[axis] + 1));
    });
    if (op.output.sizes[axis] > 1) {
      outputs.add([&](GatherNd& wrong) {
        resize(wrong.output, withSize(wrong.output.sizes, axis, wrong.output.sizes[axis] - 1));
      });
    }
  }
  outputs.addTo(all);
}

// Needs two elements that can fall together: a single one, all that tensors of one dimension have
// here, cannot.
void addOverlaps(std::vector<Broken>& all, const GatherNd& op) {
  Variants overlaps("tensor.output-no-overlap", op);
  const Sizes& sizes = op.output.sizes;
  const Sizes packed = layoutStrides({LayoutKind::Packed, {}}, sizes).value();
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] == 1) continue;
    overlaps.add([&](GatherNd& w) { setStrides(w.output, withSize(packed, axis, 0)); });
    const size_t last = sizes.size() - 1;
    if (axis < last && packed[axis] > 1) {
      overlaps.add(
          [&](GatherNd& w) { setStrides(w.output, withSize(packed, axis, packed[axis] - 1)); });
    }
  }
  overlaps.addTo(all);
}

BreakableDescriptor breakable(const GatherNd& op, Level level) {
  BreakableDescriptor result{op, brokenTotals(op)};
  addTypes(result.broken, op, level);
  addDimensionCounts(result.broken, op, level);
  addSizes(result.broken, op);
  addOverlaps(result.broken, op);
  return result;
}

}  // namespace

std::vector<BreakableDescriptor> breakableGather(DataType type, uint32_t rank, Level level) {
  const DataType indexType = rotate(indexTypes(level), rank + static_cast<uint64_t>(type));
  // All dimensions in use: a full array of tuples, the last input dimension copied.
  Sizes fullInput(rank, 2);
  fullInput.back() = 3;
  const uint32_t fullTuple = std::max(1u, rank - 1);
  const GatherNd full = makeGather(type, indexType, rank, fullInput, Sizes(rank - 1, 2), fullTuple);
  // One dimension less of input and indices: leading 1s everywhere.
  const uint32_t looseRank = std::max(1u, rank - 1);
  const GatherNd loose = makeGather(type, indexType, rank, Sizes(looseRank, rank == 1 ? 5 : 2),
                                    Sizes(looseRank - 1, 2), std::max(1u, looseRank - 1));
  return {breakable(full, level), breakable(loose, level)};
}

}  // namespace dmlcts

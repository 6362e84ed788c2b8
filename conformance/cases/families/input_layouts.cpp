// Input and index tensors whose strides are not the packed ones: permuted, padded, stepped,
// broadcast, overlapping windows, odd strides on dimensions of size 1. Between the elements lies
// noise that an implementation must not read.

#include <algorithm>
#include <optional>

#include "conformance/cases/families/build.h"
#include "conformance/cases/families/families.h"

namespace dmlcts {
namespace {

using Strides = std::optional<Sizes>;

// Every stride 1: each coordinate along any dimension moves by one element, so that the rows are
// windows that overlap all but one of their elements.
Sizes slidingWindow(const Sizes& sizes) { return Sizes(sizes.size(), 1); }

// Rows that overlap half of one another.
Sizes halfWindow(const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  for (size_t axis = sizes.size() - 1; axis-- > 0;) {
    strides[axis] = std::max(1u, strides[axis + 1] * ((sizes[axis + 1] + 1) / 2));
  }
  return strides;
}

// Packed, but dimensions of size 1 have strides that would be far off if they were used.
Strides oddOnes(const Sizes& sizes) {
  auto strides = layoutStrides({LayoutKind::Packed, {}}, sizes).value();
  bool any = false;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] != 1) continue;
    strides[axis] = 12'345 + static_cast<uint32_t>(axis);
    any = true;
  }
  return any ? Strides(strides) : std::nullopt;
}

// All layouts for these sizes, each different from the others and from packed.
std::vector<Sizes> layoutsOf(const Sizes& sizes) {
  const size_t rank = sizes.size();
  std::vector<Strides> candidates{layoutStrides({LayoutKind::Packed, {}}, sizes),
                                  layoutStrides({LayoutKind::Perm, reversedAxes(rank)}, sizes),
                                  layoutStrides({LayoutKind::Perm, rotatedAxes(rank)}, sizes),
                                  layoutStrides({LayoutKind::Pad, {1}}, sizes),
                                  layoutStrides({LayoutKind::Pad, {6}}, sizes),
                                  layoutStrides({LayoutKind::Step, {2}}, sizes),
                                  layoutStrides({LayoutKind::Step, {5}}, sizes),
                                  slidingWindow(sizes),
                                  halfWindow(sizes),
                                  oddOnes(sizes)};
  Sizes all(rank);
  for (uint32_t axis = 0; axis < rank; ++axis) {
    all[axis] = axis;
    candidates.push_back(layoutStrides({LayoutKind::Broadcast, {axis}}, sizes));
  }
  candidates.push_back(layoutStrides({LayoutKind::Broadcast, all}, sizes));

  std::vector<Sizes> layouts;
  for (const Strides& strides : candidates) {
    const bool isNew =
        strides && std::find(layouts.begin(), layouts.end(), *strides) == layouts.end();
    if (isNew) layouts.push_back(*strides);
  }
  return layouts;
}

const std::vector<Sizes> kShapes{
    {13},          {5, 9},       {1, 7, 4},          {3, 4, 5},
    {1, 3, 1, 17}, {2, 3, 5, 7}, {2, 1, 3, 2, 3, 2}, {2, 3, 2, 1, 2, 2, 3, 2}};

void addNonzero(CaseList& list, const Sizes& sizes, uint64_t& i) {
  static const std::vector<Fill> fills{fill(FillKind::Mixed), fill(FillKind::MinusZero),
                                       fill(FillKind::All), density(300'000)};
  const auto rank = static_cast<uint32_t>(sizes.size());
  for (const Sizes& strides : layoutsOf(sizes)) {
    for (DataType type : documentedTypes()) {
      NonzeroCoordinates op = makeNonzero(type, sizes, rank);
      setStrides(op.input, strides);
      list.execute(rotate(nonzeroLevels(rank), i), op, rotate(fills, i + i / 8));
      ++i;
    }
  }
}

void addGather(CaseList& list, const Sizes& sizes, uint64_t& i) {
  const auto rank = static_cast<uint32_t>(sizes.size());
  const uint32_t tupleSize = (rank + 1) / 2;
  const Sizes tuples = rank == 1 ? Sizes{} : Sizes{3};
  for (const Sizes& strides : layoutsOf(sizes)) {
    for (DataType type : documentedTypes()) {
      const Level level = rotate(gatherLevels(rank), i);
      const DataType indexType = rotate(indexTypes(level), i / 3);
      GatherNd op = makeGather(type, indexType, rank, sizes, tuples, tupleSize);
      setStrides(op.input, strides);
      const bool negative = info(indexType).isSigned && i % 2 == 0;
      list.execute(level, op, fill(FillKind::Unique),
                   index(negative ? IndexKind::Negative : IndexKind::Random));
      ++i;
    }
  }
}

// The indices tensor in every layout; its last dimension is the tuple.
void addIndexLayouts(CaseList& list, const Sizes& tuples, const Sizes& input, uint32_t tupleSize,
                     uint64_t& i) {
  const size_t rank = 4;
  const GatherNd packed =
      makeGather(DataType::Float32, DataType::UInt32, rank, input, tuples, tupleSize);
  for (const Sizes& strides : layoutsOf(packed.indices.sizes)) {
    for (DataType indexType : indexTypes(Level::L3_0)) {
      const bool oldest = indexType == DataType::UInt32 && i % 2 == 0;
      const Level level = oldest ? Level::L2_1 : rotate(gatherLevels(1), i);
      GatherNd op =
          makeGather(rotate(documentedTypes(), i), indexType, rank, input, tuples, tupleSize);
      setStrides(op.indices, strides);
      const bool negative = info(indexType).isSigned && i % 2 == 0;
      list.execute(level, op, fill(FillKind::Unique),
                   index(negative ? IndexKind::Negative : IndexKind::Random));
      ++i;
    }
  }
}

}  // namespace

void addInputLayouts(CaseList& list) {
  uint64_t i = 0;
  for (const Sizes& sizes : kShapes) addNonzero(list, sizes, i);
  for (const Sizes& sizes : kShapes) addGather(list, sizes, i);
  addIndexLayouts(list, {5}, {4, 6, 3}, 2, i);
  addIndexLayouts(list, {3, 4}, {9, 7}, 1, i);
  addIndexLayouts(list, {2, 2, 3}, {5, 4, 3}, 3, i);
  addIndexLayouts(list, {}, {5, 4, 3, 2}, 2, i);
}

}  // namespace dmlcts

// Input and index tensors with unpacked strides: permuted, padded, stepped, broadcast, overlapping
// windows, odd strides on dimensions of size 1. Gaps hold noise that an implementation must not
// read.

#include <algorithm>
#include <optional>

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

using MaybeStrides = std::optional<Sizes>;

// All strides are 1: rows are windows that overlap in all but one element.
Sizes slidingWindow(const Sizes& sizes) { return Sizes(sizes.size(), 1); }

// Rows that overlap by half.
Sizes halfWindow(const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  for (size_t axis = sizes.size() - 1; axis-- > 0;) {
    strides[axis] = std::max(1u, strides[axis + 1] * ((sizes[axis + 1] + 1) / 2));
  }
  return strides;
}

// Packed, but dimensions of size 1 have large strides, to expose their use.
MaybeStrides farStridesOfOnes(const Sizes& sizes) {
  auto strides = layoutStrides({LayoutKind::Packed, {}}, sizes).value();
  bool any = false;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] != 1) continue;
    strides[axis] = 12'345 + static_cast<uint32_t>(axis);
    any = true;
  }
  return any ? MaybeStrides(strides) : std::nullopt;
}

// Returns distinct unpacked layouts for these sizes.
std::vector<Sizes> inputLayoutsOf(const Sizes& sizes) {
  const size_t rank = sizes.size();
  std::vector<MaybeStrides> candidates{layoutStrides({LayoutKind::Packed, {}}, sizes),
                                       layoutStrides({LayoutKind::Perm, reversedAxes(rank)}, sizes),
                                       layoutStrides({LayoutKind::Perm, rotatedAxes(rank)}, sizes),
                                       layoutStrides({LayoutKind::Pad, {1}}, sizes),
                                       layoutStrides({LayoutKind::Pad, {6}}, sizes),
                                       layoutStrides({LayoutKind::Step, {2}}, sizes),
                                       layoutStrides({LayoutKind::Step, {5}}, sizes),
                                       slidingWindow(sizes),
                                       halfWindow(sizes),
                                       farStridesOfOnes(sizes)};
  Sizes all(rank);
  for (uint32_t axis = 0; axis < rank; ++axis) {
    all[axis] = axis;
    candidates.push_back(layoutStrides({LayoutKind::Broadcast, {axis}}, sizes));
  }
  candidates.push_back(layoutStrides({LayoutKind::Broadcast, all}, sizes));

  std::vector<Sizes> layouts;
  for (const MaybeStrides& strides : candidates) {
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
  for (const Sizes& strides : inputLayoutsOf(sizes)) {
    for (DataType type : documentedTypes()) {
      NonzeroCoordinates op = makeNonzero(type, sizes, rank);
      setStrides(op.input, strides);
      list.execute(rotate(nonzeroLevels(rank), i), op, rotate(fills, i + i / 8));
      // A kernel finds words of its mask side by side in several rows.
      if (sizes.front() == 40 && type == DataType::Float32) list.keepInSmoke();
      ++i;
    }
  }
}

// A gather from an input of these sizes, with half of the dimensions indexed. Leading dimensions
// are batches, if the operator has any.
template <HasTuples Operator>
Operator gatherFrom(DataType type, DataType indexType, const Sizes& sizes, uint64_t i) {
  const auto rank = static_cast<uint32_t>(sizes.size());
  const uint64_t most = HasBatches<Operator> ? i % 4 : 0;
  const auto batchRank = static_cast<uint32_t>(std::min<uint64_t>(most, (rank - 1) / 2));
  const uint32_t tupleSize = (rank - batchRank + 1) / 2;
  const Sizes batches(sizes.begin(), sizes.begin() + batchRank);
  const Sizes others = rank == 1 ? Sizes{} : Sizes{3};
  return makeOfShape<Operator>(type, indexType, rank,
                               {sizes, concatenated(batches, others), tupleSize, batchRank});
}

template <class Operator>
void addGather(CaseList& list, const Sizes& sizes, uint64_t& i) {
  const auto rank = static_cast<uint32_t>(sizes.size());
  for (const Sizes& strides : inputLayoutsOf(sizes)) {
    for (DataType type : sweptTypes<Operator>()) {
      const Level level = rotate(levelsOf<Operator>(type, rank), i);
      const DataType indexType = rotate(indexTypes(level), i / 3);
      Operator op = gatherFrom<Operator>(type, indexType, sizes, i);
      setStrides(op.input, strides);
      const bool negative = info(indexType).isSigned && i % 2 == 0;
      list.execute(level, op, fill(FillKind::Unique),
                   index(negative ? IndexKind::Negative : IndexKind::Random));
      // A kernel may copy whole rows of halves, whose pitch is not their length.
      const bool hasPitch = sizes == Sizes{5, 9} && strides == Sizes{10, 1};
      if (hasPitch && type == DataType::Float16) list.keepInSmoke();
      ++i;
    }
  }
}

// Adds every layout of the indices tensor; its last dimension is the tuple.
template <class Operator>
void addIndexLayouts(CaseList& list, const Sizes& tuples, const Sizes& input, uint32_t tupleSize,
                     uint64_t& i) {
  const uint32_t rank = 4;
  const uint64_t batches = i;
  const Operator packed = makeVaried<Operator>(DataType::Float32, DataType::UInt32, rank, input,
                                               tuples, tupleSize, batches);
  for (const Sizes& strides : inputLayoutsOf(packed.indices.sizes)) {
    for (DataType indexType : indexTypes(Level::L3_0)) {
      const DataType type = rotate(typesOf<Operator>(), i);
      const bool isOldest = indexType == DataType::UInt32 && i % 2 == 0;
      const Level level = isOldest ? levelsOf<Operator>(type, rank).front()
                                   : rotate(levelsOf<Operator>(type, 1), i);
      Operator op = makeVaried<Operator>(type, indexType, rank, input, tuples, tupleSize, batches);
      setStrides(op.indices, strides);
      const bool negative = info(indexType).isSigned && i % 2 == 0;
      list.execute(level, op, fill(FillKind::Unique),
                   index(negative ? IndexKind::Negative : IndexKind::Random));
      ++i;
    }
  }
}

void addNonzeroInputLayouts(CaseList& list, uint64_t& i) {
  for (const Sizes& sizes : kShapes) addNonzero(list, sizes, i);
  // More rows than a mask word has bits, with rows of whole and partial words.
  addNonzero(list, {40, 64}, i);
  addNonzero(list, {40, 33}, i);
}

template <class Operator>
void addGatherInputLayouts(CaseList& list, uint64_t& i) {
  for (const Sizes& sizes : kShapes) addGather<Operator>(list, sizes, i);
  addIndexLayouts<Operator>(list, {5}, {4, 6, 3}, 2, i);
  addIndexLayouts<Operator>(list, {3, 4}, {9, 7}, 1, i);
  addIndexLayouts<Operator>(list, {2, 2, 3}, {5, 4, 3}, 3, i);
  addIndexLayouts<Operator>(list, {}, {5, 4, 3, 2}, 2, i);
}

}  // namespace

void addInputLayouts(CaseList& list) {
  uint64_t i = 0;
  for (const OperatorFacts* op : list.operatorsBackwards()) {
    visitKind(
        *op, [&]<class Operator>(const Operator&) { addGatherInputLayouts<Operator>(list, i); },
        [&](const auto&) { addNonzeroInputLayouts(list, i); });
  }
}

}  // namespace dmlcts

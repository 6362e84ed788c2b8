// Output tensors with strides: permuted, padded, stepped, odd strides on dimensions of size 1. Gaps
// must keep their contents; 8- and 16-bit elements share words with them.

#include <algorithm>

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

// Column-major with a gap after every element and a longer one after every column.
Sizes gappedColumns(const Sizes& sizes) {
  Sizes strides(sizes.size());
  uint32_t stride = 3;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    strides[axis] = stride;
    stride = stride * sizes[axis] + 1;
  }
  return strides;
}

// Packed, but dimensions of size 1 have odd strides, including 0. Nothing overlaps because of that.
Sizes oddStridesOfOnes(const Sizes& sizes) {
  auto strides = layoutStrides({LayoutKind::Packed, {}}, sizes).value();
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] == 1) strides[axis] = axis % 2 == 0 ? 0 : 9'999;
  }
  return strides;
}

// Rows that interleave without sharing an address. The last two dimensions above size 1 have
// strides n + 1 and n, where the last has size n. A check that only compares each stride with the
// extent within it wrongly reports overlap.
std::optional<Sizes> interlocked(const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  uint32_t length = 0;
  uint32_t reach = 0;
  uint32_t seen = 0;
  for (size_t axis = sizes.size(); axis-- > 0;) {
    if (sizes[axis] == 1) continue;
    ++seen;
    if (seen == 1) length = sizes[axis];
    strides[axis] = seen == 1 ? length + 1 : seen == 2 ? length : reach + 1;
    reach += strides[axis] * (sizes[axis] - 1);
  }
  return seen < 2 ? std::nullopt : std::optional(strides);
}

std::vector<Sizes> outputLayoutsOf(const Sizes& sizes) {
  const size_t rank = sizes.size();
  std::vector<std::optional<Sizes>> candidates{
      layoutStrides({LayoutKind::Packed, {}}, sizes),
      layoutStrides({LayoutKind::Perm, reversedAxes(rank)}, sizes),
      layoutStrides({LayoutKind::Perm, rotatedAxes(rank)}, sizes),
      layoutStrides({LayoutKind::Pad, {1}}, sizes),
      layoutStrides({LayoutKind::Pad, {3}}, sizes),
      layoutStrides({LayoutKind::Pad, {60}},
                    sizes),  // rows of 4 or 8 start at multiples of 16 bytes
      layoutStrides({LayoutKind::Step, {2}}, sizes),
      layoutStrides({LayoutKind::Step, {3}}, sizes),
      layoutStrides({LayoutKind::Step, {4}}, sizes),
      gappedColumns(sizes),
      oddStridesOfOnes(sizes),
      interlocked(sizes)};
  std::vector<Sizes> layouts;
  for (const auto& strides : candidates) {
    const bool isNew = strides && std::ranges::find(layouts, *strides) == layouts.end();
    if (isNew) layouts.push_back(*strides);
  }
  return layouts;
}

template <class Operator>
void addGather(CaseList& list, uint32_t rank, const Sizes& input, const Sizes& tuples,
               uint32_t tupleSize, uint64_t& i) {
  const uint64_t batches = tuples.size();
  const Operator packed = makeVaried<Operator>(DataType::Float32, DataType::UInt32, rank, input,
                                               tuples, tupleSize, batches);
  for (const Sizes& strides : outputLayoutsOf(packed.output.sizes)) {
    for (DataType type : sweptTypes<Operator>()) {
      const Level level = rotate(levelsOf<Operator>(type, rank), i);
      const DataType indexType = rotate(indexTypes(level), i);
      Operator op = makeVaried<Operator>(type, indexType, rank, input, tuples, tupleSize, batches);
      setStrides(op.output, strides);
      list.execute(level, op, fill(FillKind::Unique), index(IndexKind::Random));
      ++i;
    }
  }
}

void addNonzero(CaseList& list, const Sizes& input, uint32_t columns, size_t coordsRank,
                uint64_t& i) {
  const auto rank = static_cast<uint32_t>(input.size());
  const bool newOnly = coordsRank != rank;
  const NonzeroCoordinates packed =
      makeNonzero(DataType::Float32, input, columns, rank, coordsRank);
  for (const Sizes& strides : outputLayoutsOf(packed.coords.sizes)) {
    for (const Fill& positions : {fill(FillKind::All), density(400'000), fill(FillKind::Last)}) {
      const Level level = rotate(nonzeroLevels(newOnly ? 1 : rank), i);
      NonzeroCoordinates op =
          makeNonzero(rotate(documentedTypes(), i), input, columns, rank, coordsRank);
      setStrides(op.coords, strides);
      // The count is one element, regardless of its strides.
      if (i % 2 == 1) setStrides(op.count, Sizes(rank, static_cast<uint32_t>(i % 11)));
      list.execute(level, op, positions);
      ++i;
    }
  }
}

template <class Operator>
void addGatherOutputLayouts(CaseList& list, uint64_t& i) {
  addGather<Operator>(list, 1, {11}, {}, 1, i);
  addGather<Operator>(list, 2, {6, 5}, {7}, 1, i);
  addGather<Operator>(list, 3, {4, 7, 3}, {5}, 1, i);
  addGather<Operator>(list, 4, {3, 4, 5}, {2, 3}, 2, i);
  addGather<Operator>(list, 4, {7, 9}, {3, 2, 5}, 2, i);
  addGather<Operator>(list, 5, {2, 3, 4, 5}, {6}, 2, i);
  addGather<Operator>(list, 8, {3, 2, 2, 3}, {2, 3, 2}, 1, i);
  addGather<Operator>(list, 4, {9}, {1, 300}, 1, i);
}

void addNonzeroOutputLayouts(CaseList& list, uint64_t& i) {
  addNonzero(list, {9}, 1, 2, i);
  addNonzero(list, {5, 7}, 2, 2, i);
  addNonzero(list, {1, 6, 5}, 3, 3, i);
  addNonzero(list, {2, 3, 4, 2}, 4, 4, i);
  addNonzero(list, {1, 1, 9, 4}, 2, 4, i);
  addNonzero(list, {1, 2, 3, 4, 2}, 4, 5, i);
  addNonzero(list, {2, 2, 2, 2, 2, 2, 2, 2}, 8, 8, i);
  addNonzero(list, {3, 5, 300}, 3, 2, i);
}

}  // namespace

void addOutputLayouts(CaseList& list) {
  uint64_t i = 0;
  for (const OperatorFacts* op : list.operators()) {
    visitKind(
        *op, [&]<class Operator>(const Operator&) { addGatherOutputLayouts<Operator>(list, i); },
        [&](const auto&) { addNonzeroOutputLayouts(list, i); });
  }
}

}  // namespace dmlcts

#include "fuzz/simpler_shapes.h"

#include <algorithm>

#include "conformance/cases/families/build.h"
#include "fuzz/shapes.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint32_t kWorthJumping = 16;  // smaller sizes are reached by single steps
constexpr uint64_t kMostElements = 1u << 25;

// The numbers next to boundaries, and to large powers of two, that are smaller than the size.
std::vector<uint32_t> boundariesBelow(uint32_t size) {
  std::vector<uint32_t> smaller;
  for (uint32_t boundary : kBoundaries) {
    for (uint32_t next : {boundary, boundary + 1}) {
      if (next < size && (smaller.empty() || smaller.back() < next)) smaller.push_back(next);
    }
  }
  for (uint64_t power = 1u << 17; power < size; power *= 2) {
    if (power + 1 < size) smaller.push_back(static_cast<uint32_t>(power + 1));
  }
  return smaller;
}

template <class Add>
void forSmaller(const Sizes& sizes, const Add& add) {
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] < kWorthJumping) continue;
    for (uint32_t size : boundariesBelow(sizes[axis])) add(withSize(sizes, axis, size));
    for (uint32_t less = sizes[axis] / 2; less > 0; less /= 2) {
      add(withSize(sizes, axis, sizes[axis] - less));
    }
  }
}

// Without one of the dimensions of size 1; `add` is told which.
template <class Add>
void forFewer(const Sizes& sizes, const Add& add) {
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] != 1) continue;
    Sizes fewer = sizes;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(axis));
    add(fewer, axis);
  }
}

std::vector<Descriptor> plainer(const NonzeroCoordinates& op) {
  std::vector<Descriptor> all;
  const Sizes& sizes = op.input.sizes;
  const auto count = elementCount(sizes);
  if (!count || *count > kMostElements) return all;
  if (sizes.size() > 1) {
    all.emplace_back(makeNonzero(op.input.type, {static_cast<uint32_t>(*count)}, 1, 1, 2));
  }
  forSmaller(sizes, [&](const Sizes& smaller) {
    const auto rank = static_cast<uint32_t>(sizes.size());
    const uint32_t columns =
        std::clamp(op.coords.sizes.back(), std::max(1u, effectiveRank(smaller)), rank);
    all.emplace_back(makeNonzero(op.input.type, smaller, columns, op.count.sizes.size(),
                                 op.coords.sizes.size()));
  });
  if (sizes.size() == 1) return all;
  forFewer(sizes, [&](const Sizes& fewer, size_t) {
    const auto rank = static_cast<uint32_t>(fewer.size());
    for (uint32_t columns : {op.coords.sizes.back() - 1, op.coords.sizes.back()}) {
      if (columns >= std::max(1u, effectiveRank(fewer)) && columns <= rank) {
        all.emplace_back(makeNonzero(op.input.type, fewer, columns, 1, 2));
        all.emplace_back(makeNonzero(op.input.type, fewer, columns));
      }
    }
  });
  return all;
}

std::vector<Descriptor> plainer(const GatherNd& op) {
  std::vector<Descriptor> all;
  const DataType type = op.input.type;
  const DataType indexType = op.indices.type;
  const size_t rank = op.input.sizes.size();
  const uint32_t tupleSize = op.indices.sizes.back();
  const Sizes input(op.input.sizes.end() - static_cast<ptrdiff_t>(op.inputDimensionCount),
                    op.input.sizes.end());
  const Sizes tuples(op.indices.sizes.end() - static_cast<ptrdiff_t>(op.indicesDimensionCount),
                     op.indices.sizes.end() - 1);
  const auto count = elementCount(input);
  const auto tupleCount = elementCount(tuples);
  if (!count || !tupleCount || *count > kMostElements || *tupleCount > kMostElements) return all;
  const auto elements = static_cast<uint32_t>(*count);
  if (rank > 1) all.emplace_back(makeGather(type, indexType, 1, {elements}, {}, 1));
  if (rank > 2) {
    const auto rows = static_cast<uint32_t>(*tupleCount);
    all.emplace_back(makeGather(type, indexType, 2, {elements}, {rows}, 1));
    const uint32_t indexed = input.front();
    all.emplace_back(makeGather(type, indexType, 2, {indexed, elements / indexed}, {rows}, 1));
  }
  forSmaller(input, [&](const Sizes& smaller) {
    all.emplace_back(makeGather(type, indexType, rank, smaller, tuples, tupleSize));
  });
  forSmaller(tuples, [&](const Sizes& smaller) {
    all.emplace_back(makeGather(type, indexType, rank, input, smaller, tupleSize));
  });
  // In as few dimensions as these sizes need.
  const auto add = [&](const Sizes& data, const Sizes& list, uint32_t size) {
    const size_t needed =
        std::max({data.size(), list.size() + 1, list.size() + data.size() - size});
    all.emplace_back(makeGather(type, indexType, needed, data, list, size));
  };
  add(input, tuples, tupleSize);
  forFewer(tuples, [&](const Sizes& fewer, size_t) { add(input, fewer, tupleSize); });
  forFewer(input, [&](const Sizes& fewer, size_t axis) {
    const uint32_t size = tupleSize - (axis < tupleSize ? 1 : 0);
    if (size > 0) add(fewer, tuples, size);
  });
  return all;
}

}  // namespace

std::vector<Case> simplerShapes(const Case& testCase) {
  std::vector<Case> all;
  if (testCase.expect == Expect::Reject) return all;
  for (Descriptor& descriptor :
       std::visit([](const auto& op) { return plainer(op); }, testCase.descriptor)) {
    all.push_back(testCase);
    all.back().descriptor = std::move(descriptor);
  }
  return all;
}

}  // namespace dmlcts

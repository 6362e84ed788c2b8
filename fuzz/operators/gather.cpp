#include "fuzz/operators/gather.h"

#include <algorithm>

#include "conformance/cases/families/build.h"
#include "conformance/cases/operators/gather.h"
#include "fuzz/shapes.h"
#include "fuzz/smaller_sizes.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

uint64_t count(const Sizes& sizes) { return elementCount(sizes).value(); }

// The shape that both operators have: `batches` batch dimensions in front.
struct DrawnShape {
  uint32_t rank;
  Sizes input;
  Sizes tuples;
  uint32_t tupleSize;
  uint32_t batches;
};

DrawnShape drawShape(Choice& choice, const std::vector<uint32_t>& ranks, bool withBatches,
                     int size) {
  DrawnShape shape{};
  shape.rank = choice.of(ranks);
  const uint32_t inputRank = choice.between(1, shape.rank);
  shape.batches = withBatches ? choice.between(0, inputRank - 1) : 0;
  shape.tupleSize = choice.between(1, inputRank - shape.batches);
  const uint32_t blockRank = inputRank - shape.batches - shape.tupleSize;
  const uint32_t tupleAxes =
      choice.between(shape.batches, std::min(shape.rank - 1, shape.rank - blockRank));

  const uint64_t budget = elementBudget(choice, size);
  const Sizes block = drawSizes(choice, blockRank, budget);
  uint64_t left = std::max<uint64_t>(1, budget / count(block));
  const Sizes batches = drawSizes(choice, shape.batches, left);
  left = std::max<uint64_t>(1, left / count(batches));
  const Sizes indexed = drawSizes(choice, shape.tupleSize, left);
  const Sizes tuples = drawSizes(choice, tupleAxes - shape.batches, left);
  shape.input = concatenated(batches, concatenated(indexed, block));
  shape.tuples = concatenated(batches, tuples);
  return shape;
}

template <class Operator, class Make>
std::vector<Descriptor> plainer(const Operator& op, const Make& make) {
  const Gather gather = gatherOf(op);
  std::vector<Descriptor> all;
  const size_t rank = op.input.sizes.size();
  const auto tupleSize = static_cast<uint32_t>(gather.tupleSize());
  const auto batches = static_cast<uint32_t>(gather.batchRank);
  const Sizes input(op.input.sizes.end() - static_cast<ptrdiff_t>(gather.inputRank),
                    op.input.sizes.end());
  const Sizes tuples(op.indices.sizes.end() - static_cast<ptrdiff_t>(gather.indicesRank),
                     op.indices.sizes.end() - 1);
  const auto elementsOf = elementCount(input);
  const auto tuplesOf = elementCount(tuples);
  if (!elementsOf || !tuplesOf || *elementsOf > kMostPlainElements ||
      *tuplesOf > kMostPlainElements) {
    return all;
  }
  const auto elements = static_cast<uint32_t>(*elementsOf);
  // Those without batches: everything in one dimension or two.
  if (rank > 1) all.emplace_back(make(1, Sizes{elements}, Sizes{}, 1, 0));
  if (rank > 2) {
    const auto rows = static_cast<uint32_t>(*tuplesOf);
    all.emplace_back(make(2, Sizes{elements}, Sizes{rows}, 1, 0));
    const uint32_t indexed = input.front();
    all.emplace_back(make(2, Sizes{indexed, elements / indexed}, Sizes{rows}, 1, 0));
  }
  // One batch dimension, one indexed, and scalars or rows.
  if (batches > 0) {
    const uint32_t first = input.front();
    const uint32_t each = elements / first;
    const auto rows = static_cast<uint32_t>(*tuplesOf / first);
    if (rank > 2) all.emplace_back(make(2, Sizes{first, each}, Sizes{first}, 1, 1));
    if (rank > 3) all.emplace_back(make(3, Sizes{first, each}, Sizes{first, rows}, 1, 1));
    if (rank > 3) {
      const uint32_t indexed = input[batches];
      all.emplace_back(make(3, Sizes{first, indexed, each / indexed}, Sizes{first, rows}, 1, 1));
    }
  }
  const auto withBatches = [&](const Sizes& from, Sizes other) {  // batches stay the same in both
    std::copy_n(from.begin(), batches, other.begin());
    return other;
  };
  forSmaller(input, [&](const Sizes& smaller) {
    all.emplace_back(make(rank, smaller, withBatches(smaller, tuples), tupleSize, batches));
  });
  forSmaller(tuples, [&](const Sizes& smaller) {
    all.emplace_back(make(rank, withBatches(smaller, input), smaller, tupleSize, batches));
  });
  // In as few dimensions as these sizes need.
  const auto add = [&](const Sizes& data, const Sizes& list, uint32_t size, uint32_t batched) {
    const size_t needed =
        std::max({data.size(), list.size() + 1, list.size() + data.size() - batched - size});
    all.emplace_back(make(needed, data, list, size, batched));
  };
  add(input, tuples, tupleSize, batches);
  forFewer(tuples, [&](const Sizes& fewer, size_t axis) {
    if (axis >= batches) add(input, fewer, tupleSize, batches);
  });
  forFewer(input, [&](const Sizes& fewer, size_t axis) {
    if (axis < batches) {
      Sizes list = tuples;
      list.erase(list.begin() + static_cast<ptrdiff_t>(axis));
      add(fewer, list, tupleSize, batches - 1);
      return;
    }
    const uint32_t size = tupleSize - (axis < batches + tupleSize ? 1 : 0);
    if (size > 0) add(fewer, tuples, size, batches);
  });
  return all;
}

}  // namespace

GatherNd drawGatherNd(Choice& choice, Level level, int size) {
  const DrawnShape shape = drawShape(choice, gatherRanks(level), false, size);
  return makeGather(choice.of(gatherTypes(level)), choice.of(gatherIndexTypes(level)), shape.rank,
                    shape.input, shape.tuples, shape.tupleSize);
}

GatherNd1 drawGatherNd1(Choice& choice, Level level, int size) {
  const DrawnShape shape = drawShape(choice, gather1Ranks(level), true, size);
  return makeGather1(choice.of(gather1Types(level)), choice.of(gather1IndexTypes(level)),
                     shape.rank, shape.input, shape.tuples, shape.tupleSize, shape.batches);
}

std::vector<Descriptor> plainerGatherNds(const GatherNd& op) {
  return plainer(
      op, [&](size_t rank, const Sizes& input, const Sizes& tuples, uint32_t tupleSize, uint32_t) {
        return makeGather(op.input.type, op.indices.type, rank, input, tuples, tupleSize);
      });
}

std::vector<Descriptor> plainerGatherNd1s(const GatherNd1& op) {
  return plainer(op, [&](size_t rank, const Sizes& input, const Sizes& tuples, uint32_t tupleSize,
                         uint32_t batches) {
    return makeGather1(op.input.type, op.indices.type, rank, input, tuples, tupleSize, batches);
  });
}

}  // namespace dmlcts

#include "conformance/operators/gather.h"

#include <algorithm>

#include "conformance/operators/smaller_sizes.h"
#include "reference/tensor.h"

namespace dmlcts {

GatherShape generateGatherShape(Choices& choices, const Wanted& wanted, uint32_t mostAny) {
  const uint32_t rank = at(wanted.labels, Parameter::Rank);
  const uint8_t attributes = at(wanted.labels, Parameter::Attributes);
  const bool any = attributes == kAny;
  const bool whole = isWhole(attributes);
  const bool one = isOne(attributes);
  const uint32_t leastBatches = batchesOf(attributes);
  const bool several = leastBatches > 1;
  const bool batched = leastBatches > 0;
  const uint32_t mostBatches = any ? mostAny : several ? 4 : leastBatches;
  const uint32_t leastBehind = any || whole ? 1 : 2;  // dimensions after the batches

  GatherShape shape{};
  const uint32_t inputRank = choices.between(leastBatches + leastBehind, rank);
  shape.batchRank =
      leastBatches == mostBatches
          ? leastBatches
          : choices.between(leastBatches, std::min(mostBatches, inputRank - leastBehind));
  const uint32_t behind = inputRank - shape.batchRank;
  shape.tupleSize = whole ? behind : choices.between(1, behind + 1 - leastBehind);
  const uint32_t mostAxes = std::min(rank - 1, rank - (behind - shape.tupleSize));
  const bool many = !any && !one && !batched;
  const uint32_t tupleAxes =
      choices.between(many ? std::min(1u, mostAxes) : shape.batchRank, mostAxes);

  const uint64_t elements = drawElements(choices, wanted);
  shape.input = choices.sizes(inputRank, elements);
  const auto indexed = shape.input.begin() + shape.batchRank;
  const Sizes batches(shape.input.begin(), indexed);
  const uint64_t copied = elementCount(batches).value() *
                          elementCount(Sizes(indexed + shape.tupleSize, shape.input.end())).value();
  const uint64_t tuples = any       ? std::max<uint64_t>(1, elements / copied)
                          : one     ? 1
                          : batched ? choices.between(1, 6)
                                    : choices.between(2, 12);
  // For any attributes, sizes have always been drawn for the batches too. Cases must keep their
  // names.
  Sizes others = choices.sizes(tupleAxes - (any ? 0 : shape.batchRank), tuples);
  if (any) others.erase(others.begin(), others.begin() + shape.batchRank);
  shape.tuples = concatenated(batches, others);
  return shape;
}

std::vector<std::pair<size_t, GatherShape>> simplerGatherShapes(const Gather& gather) {
  const size_t rank = gather.input.sizes.size();
  const auto batches = static_cast<uint32_t>(gather.batchRank);
  const GatherShape from{{gather.input.sizes.end() - static_cast<ptrdiff_t>(gather.inputRank),
                          gather.input.sizes.end()},
                         {gather.indices.sizes.end() - static_cast<ptrdiff_t>(gather.indicesRank),
                          gather.indices.sizes.end() - 1},
                         static_cast<uint32_t>(gather.tupleSize()),
                         batches};
  const uint64_t most = kMostPlainElements;
  if (elementCount(from.input).value_or(most) >= most ||
      elementCount(from.tuples).value_or(most) >= most) {
    return {};
  }
  const auto elements = static_cast<uint32_t>(*elementCount(from.input));
  const auto rows = static_cast<uint32_t>(*elementCount(from.tuples));
  const uint32_t first = from.input.front();
  std::vector<std::pair<size_t, GatherShape>> all;
  const auto add = [&](size_t dimensions, Sizes input, Sizes tuples, uint32_t batched = 0) {
    all.push_back({dimensions, {std::move(input), std::move(tuples), 1, batched}});
  };
  // Without batches: everything in one or two dimensions.
  if (rank > 1) add(1, {elements}, {});
  if (rank > 2) {
    add(2, {elements}, {rows});
    add(2, {first, elements / first}, {rows});
  }
  // One batch dimension, one indexed dimension, and scalars or rows.
  if (batches > 0) {
    const uint32_t each = elements / first;
    const uint32_t indexed = from.input[batches];
    if (rank > 2) add(2, {first, each}, {first}, 1);
    if (rank > 3) add(3, {first, each}, {first, rows / first}, 1);
    if (rank > 3) add(3, {first, indexed, each / indexed}, {first, rows / first}, 1);
  }
  // Input and tuples share the batch sizes.
  forSmaller(from.input, [&](const Sizes& smaller, size_t) {
    GatherShape shape = from;
    shape.input = smaller;
    std::copy_n(smaller.begin(), batches, shape.tuples.begin());
    all.push_back({rank, shape});
  });
  forSmaller(from.tuples, [&](const Sizes& smaller, size_t axis) {
    GatherShape shape = from;
    shape.tuples = smaller;
    if (axis >= batches) all.push_back({rank, shape});
  });
  // Once with as few dimensions as these sizes need, once with the original rank.
  const auto addFitting = [&](const GatherShape& shape) {
    const size_t output =
        shape.tuples.size() + shape.input.size() - shape.batchRank - shape.tupleSize;
    const size_t needed = std::max({shape.input.size(), shape.tuples.size() + 1, output});
    all.push_back({needed, shape});
    if (needed < rank) all.push_back({rank, shape});
  };
  addFitting(from);
  if (rank > 1) all.push_back({rank - 1, from});
  forFewer(from.tuples, [&](const Sizes& fewer, size_t axis) {
    if (axis >= batches) addFitting({from.input, fewer, from.tupleSize, batches});
  });
  forFewer(from.input, [&](const Sizes& fewer, size_t axis) {
    GatherShape shape{fewer, from.tuples, from.tupleSize, batches};
    if (axis < batches) {
      shape.tuples.erase(shape.tuples.begin() + static_cast<ptrdiff_t>(axis));
      shape.batchRank -= 1;
    } else if (axis < batches + from.tupleSize) {
      shape.tupleSize -= 1;
    }
    if (shape.tupleSize > 0) addFitting(shape);
  });
  if (from.tupleSize > 1) addFitting({from.input, from.tuples, from.tupleSize - 1, batches});
  return all;
}

}  // namespace dmlcts

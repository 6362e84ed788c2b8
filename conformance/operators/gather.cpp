#include "conformance/operators/gather.h"

#include <algorithm>

#include "conformance/language/element_text.h"
#include "conformance/language/layout.h"
#include "conformance/operators/smaller_sizes.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {

using P = Parameter;

std::optional<std::string> gatherIndexProblem(const Gather& op) {
  if (op.inputRank > op.input.sizes.size() || op.batchRank > op.inputRank) {
    return "dims exceed the input's dimensions";
  }
  if (op.indices.sizes.empty() || op.tupleSize() > op.inputRank - op.batchRank) {
    return std::string("index tuples have more coordinates than the input has dimensions") +
           (op.batchRank > 0 ? " behind the batches" : "");
  }
  return std::nullopt;
}

Sizes gatherIndexedDimensions(const Gather& op) {
  const auto first = op.input.sizes.end() - static_cast<ptrdiff_t>(op.inputRank - op.batchRank);
  return {first, first + static_cast<ptrdiff_t>(op.tupleSize())};
}

Selection gatherSelection(const Gather& op) {
  if (gatherIndexProblem(op)) return {};
  const auto meaningful = std::span(op.input.sizes).last(op.inputRank);
  const auto countOf = [](std::span<const uint32_t> sizes) {
    return elementCount(sizes).value_or(UINT64_MAX);
  };
  return {op.tupleSize(), countOf(meaningful.first(op.batchRank)),
          countOf(meaningful.subspan(op.batchRank + op.tupleSize()))};
}

namespace {

bool isAnyOf(uint8_t attributes, std::initializer_list<GatherAttributes> labels) {
  return std::ranges::find(labels, attributes) != labels.end();
}
bool isWhole(uint8_t attributes) {
  return isAnyOf(attributes, {WholeTuple, OneWholeTuple, BatchWholeTuple, BatchesWholeTuple});
}
bool isOne(uint8_t attributes) { return isAnyOf(attributes, {OneWholeTuple, OnePartialTuple}); }
// The least number of batch dimensions with several batches.
uint32_t batchesOf(uint8_t attributes) {
  if (isAnyOf(attributes, {BatchesWholeTuple, BatchesPartialTuple})) return 2;
  return isAnyOf(attributes, {BatchWholeTuple, BatchPartialTuple}) ? 1 : 0;
}

}  // namespace

uint8_t gatherAttributes(const Gather& op) {
  const bool whole = op.blockRank() == 0;
  // Rejected cases too, so batch dimensions may exceed the sizes.
  const Sizes& sizes = op.input.sizes;
  const size_t first = sizes.size() - std::min<size_t>(sizes.size(), op.inputRank);
  const size_t last = first + std::min<size_t>(sizes.size() - first, op.batchRank);
  const auto batches = std::count_if(sizes.begin() + static_cast<ptrdiff_t>(first),
                                     sizes.begin() + static_cast<ptrdiff_t>(last),
                                     [](uint32_t size) { return size > 1; });
  if (batches > 1) return whole ? BatchesWholeTuple : BatchesPartialTuple;
  if (batches == 1) return whole ? BatchWholeTuple : BatchPartialTuple;
  const bool one = elementCount(op.indices.sizes) == op.tupleSize();
  return one ? (whole ? OneWholeTuple : OnePartialTuple) : (whole ? WholeTuple : PartialTuple);
}

GatherShape generateGatherShape(Choices& choices, const Wanted& wanted, uint32_t mostAny) {
  const uint32_t rank = at(wanted.labels, P::Rank);
  const uint8_t attributes = at(wanted.labels, P::Attributes);
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

std::string_view gatherVacuous(const TensorDesc& input, std::span<const uint8_t> bytes) {
  const uint64_t width = info(input.type).bytes;
  // Each byte equals the byte one element earlier: every element has the same bits.
  const bool alike =
      elementCount(input.sizes) != 1u && bytes.size() >= 2 * width &&
      std::equal(bytes.begin() + static_cast<ptrdiff_t>(width), bytes.end(), bytes.begin());
  return alike ? "every element of the input has the same bits, so any index would do" : "";
}

namespace {

// True if dimensions first to last - 1 have elements at several addresses.
bool differ(const TensorDesc& tensor, size_t first, size_t last) {
  for (size_t axis = first; axis < last; ++axis) {
    if (tensor.sizes[axis] > 1 && (!tensor.strides || (*tensor.strides)[axis] != 0)) return true;
  }
  return false;
}

bool mostAre(uint64_t bits, const TensorDesc& tensor, std::span<const uint8_t> bytes) {
  constexpr uint64_t kMostLookedAt = uint64_t{1} << 26;  // elements: less than a second
  if (elementCount(tensor.sizes).value() > kMostLookedAt) return false;
  const uint32_t width = info(tensor.type).bytes;
  const auto strides = elementStrides(tensor).value();
  ElementWalk walk(tensor.sizes, strides);
  uint64_t all = 0;
  uint64_t same = 0;
  do {
    ++all;
    same += loadBits(bytes, walk.offset() * width, width) == bits ? 1 : 0;
  } while (walk.next());
  return 2 * same > all;
}

}  // namespace

std::string_view gatherWeak(const Gather& op, std::span<const uint8_t> input,
                            const ReferenceOutput& expected) {
  const uint32_t width = info(op.output.type).bytes;
  const size_t rank = op.input.sizes.size();
  const size_t batches = rank - op.inputRank;
  const size_t indexed = batches + op.batchRank;
  const size_t block = rank - op.blockRank();
  const bool placesDiffer = differ(op.input, batches, block);
  const bool tuplesCouldDiffer =
      placesDiffer && (differ(op.indices, 0, rank - 1) || differ(op.input, batches, indexed));

  const auto strides = elementStrides(op.output).value();
  const Sizes rowSizes(op.output.sizes.begin() + static_cast<ptrdiff_t>(block),
                       op.output.sizes.end());
  const std::vector<uint64_t> rowStrides(strides.begin() + static_cast<ptrdiff_t>(block),
                                         strides.end());
  const auto bitsAt = [&](const ElementWalk& walk) {
    return loadBits(expected.bytes, walk.offset() * width, width);
  };
  ElementWalk walk(op.output.sizes, strides);
  ElementWalk inFirstRow(rowSizes, rowStrides);
  const uint64_t first = bitsAt(walk);
  bool rowsAlike = true;
  bool alike = true;
  do {
    const uint64_t bits = bitsAt(walk);
    rowsAlike = rowsAlike && bits == bitsAt(inFirstRow);
    alike = alike && bits == first;
    inFirstRow.next();  // wraps from the last to the first
  } while ((rowsAlike || alike) && walk.next());

  if (!differ(op.input, 0, rank) && elementCount(op.input.sizes) != 1u) {
    return "all elements of the input have one address, so any index would do";
  }
  const auto count = elementCount(op.output.sizes);
  if (rowsAlike && count != elementCount(rowSizes) && tuplesCouldDiffer) {
    return "every tuple selects the same bits, so they could be mixed up";
  }
  const bool elementsCouldDiffer = tuplesCouldDiffer || differ(op.input, block, rank);
  if (alike && count != 1u && elementsCouldDiffer) {
    return "every element of the output has the same bits, so they could be mixed up";
  }
  if (alike && placesDiffer && mostAre(first, op.input, input)) {
    return "most of the input has the bits of what is selected, so most other indices would do";
  }
  return "";
}

namespace {

// The number of dimensions of a gather's tensors that can have several elements.
struct Extents {
  uint32_t indices;
  uint32_t output;
};

Extents extents(const Labels& labels) {
  const uint8_t attributes = at(labels, P::Attributes);
  const uint32_t rank = at(labels, P::Rank);
  const uint32_t batches = batchesOf(attributes);
  const bool whole = isWhole(attributes);
  const bool single = at(labels, P::Size) == One;
  const uint32_t mostIndexed = rank - std::min(rank, batches + (whole ? 0 : 1));
  const uint32_t tuples = isOne(attributes) ? 0 : rank - 1;
  const uint32_t mostCopied = whole || single ? 0 : isOne(attributes) ? rank - 1 : 1;
  return {tuples + (mostIndexed > 1 ? 1 : 0), tuples + mostCopied};
}

}  // namespace

std::vector<Constraint> gatherConstraints() {
  return {
      {"a single dimension is packed, step or broadcast",
       {P::Rank, P::OutputLayout},
       [](const Labels& l) {
         return at(l, P::Rank) == 1 && needsTwoDimensions(at(l, P::OutputLayout));
       }},
      {"in one dimension there is room for one tuple of one index",
       {P::Rank, P::Attributes},
       [](const Labels& l) {
         return at(l, P::Rank) == 1 && at(l, P::Attributes) != OneWholeTuple;
       }},
      {"indices of so few tuples and coordinates are packed, whatever the strides",
       {P::Rank, P::Size, P::Attributes, P::IndicesLayout},
       [](const Labels& l) { return !hasLayout(extents(l).indices, at(l, P::IndicesLayout)); }},
      {"an output of so few blocks and elements is packed, whatever the strides",
       {P::Rank, P::Size, P::Attributes, P::OutputLayout},
       [](const Labels& l) { return !hasLayout(extents(l).output, at(l, P::OutputLayout)); }},
      {"a tuple of several coordinates leaves too few dimensions to what it selects",
       {P::Rank, P::Attributes, P::IndicesLayout, P::OutputLayout},
       [](const Labels& l) {
         return at(l, P::Attributes) == OnePartialTuple && at(l, P::Rank) < 4 &&
                !hasLayout(0, at(l, P::IndicesLayout)) && !hasLayout(1, at(l, P::OutputLayout));
       }},
      {"a single element is of one batch",
       {P::Size, P::Attributes},
       [](const Labels& l) {
         return at(l, P::Size) == One && batchesOf(at(l, P::Attributes)) > 0;
       }},
      {"where all elements of an input have one address, any index would do",
       {P::Rank, P::InputLayout},
       [](const Labels& l) {
         return at(l, P::Rank) == 1 &&
                at(l, P::InputLayout) == static_cast<uint8_t>(LayoutKind::Broadcast);
       },
       true},
      {"all indices of one element are alike, in any order",
       {P::Size, P::IndicesLayout},
       [](const Labels& l) {
         const uint8_t layout = at(l, P::IndicesLayout);
         return at(l, P::Size) == One &&
                (isPerm(layout) || layout == static_cast<uint8_t>(LayoutKind::Broadcast));
       },
       true},
      {"an output of one element only is the same in any order",
       {P::Size, P::OutputLayout},
       [](const Labels& l) { return at(l, P::Size) == One && isPerm(at(l, P::OutputLayout)); },
       true},
  };
}

bool hasNans(const Fill& fill, DataType type) {
  if (!info(type).isFloat) return false;
  switch (fill.kind) {
    case FillKind::Mixed:
    case FillKind::NaNs:
    case FillKind::All:
      return true;
    default:
      return false;
  }
}

bool hasFloat32Denormals(const Fill& fill, DataType type) {
  if (type != DataType::Float32) return false;
  switch (fill.kind) {
    case FillKind::Mixed:
    case FillKind::OneBit:
    case FillKind::Denormals:
    case FillKind::All:
      return true;
    default:
      return false;
  }
}

bool hasNegativeIndices(const TensorDesc& indices, const IndexFill& fill) {
  const DataType type = indices.type;
  if (!info(type).isSigned) return false;
  switch (fill.kind) {
    case IndexKind::AllNegative:
    case IndexKind::Negative:  // the last coordinate of the first tuple is
      return true;
    case IndexKind::Boundary:
      return elementCount(indices.sizes).value_or(0) >= 8;
    case IndexKind::Values: {
      const uint64_t sign = (elementMask(type) >> 1) + 1;
      return std::ranges::any_of(fill.values, [sign](uint64_t bits) { return bits & sign; });
    }
    default:
      return false;
  }
}

}  // namespace dmlcts

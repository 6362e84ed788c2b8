#include "conformance/facts/operators/gather.h"

#include <algorithm>

#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/element_text.h"
#include "conformance/language/layout.h"
#include "reference/element.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {

Selection gatherSelection(const Gather& op) {
  if (indexProblem(op)) return {};
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

// The number of dimensions of a gather's tensors that can have several elements.
struct Extents {
  uint32_t indices;
  uint32_t output;
};

Extents extents(const Labels& labels) {
  const uint8_t attributes = at(labels, Parameter::Attributes);
  const uint32_t rank = at(labels, Parameter::Rank);
  const uint32_t batches = batchesOf(attributes);
  const bool whole = isWhole(attributes);
  const bool single = at(labels, Parameter::Size) == One;
  const uint32_t mostIndexed = rank - std::min(rank, batches + (whole ? 0 : 1));
  const uint32_t tuples = isOne(attributes) ? 0 : rank - 1;
  const uint32_t mostCopied = whole || single ? 0 : isOne(attributes) ? rank - 1 : 1;
  return {tuples + (mostIndexed > 1 ? 1 : 0), tuples + mostCopied};
}

// True if the fill has NaNs.
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

// True if the fill has denormals that Direct3D flushes in arithmetic.
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

// True if the fill of an indices tensor has negative indices.
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

}  // namespace

bool isWhole(uint8_t attributes) {
  return isAnyOf(attributes, {WholeTuple, OneWholeTuple, BatchWholeTuple, BatchesWholeTuple});
}
bool isOne(uint8_t attributes) { return isAnyOf(attributes, {OneWholeTuple, OnePartialTuple}); }
uint32_t batchesOf(uint8_t attributes) {
  if (isAnyOf(attributes, {BatchesWholeTuple, BatchesPartialTuple})) return 2;
  return isAnyOf(attributes, {BatchWholeTuple, BatchPartialTuple}) ? 1 : 0;
}

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

std::string_view gatherVacuous(const TensorDesc& input, std::span<const uint8_t> bytes) {
  const uint64_t width = info(input.type).bytes;
  // Each byte equals the byte one element earlier: every element has the same bits.
  const bool alike =
      elementCount(input.sizes) != 1u && bytes.size() >= 2 * width &&
      std::equal(bytes.begin() + static_cast<ptrdiff_t>(width), bytes.end(), bytes.begin());
  return alike ? "every element of the input has the same bits, so any index would do" : "";
}

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

std::vector<Constraint> gatherConstraints() {
  return {
      {"a single dimension is packed, step or broadcast",
       {Parameter::Rank, Parameter::OutputLayout},
       [](const Labels& l) {
         return at(l, Parameter::Rank) == 1 && needsTwoDimensions(at(l, Parameter::OutputLayout));
       }},
      {"in one dimension there is room for one tuple of one index",
       {Parameter::Rank, Parameter::Attributes},
       [](const Labels& l) {
         return at(l, Parameter::Rank) == 1 && at(l, Parameter::Attributes) != OneWholeTuple;
       }},
      {"indices of so few tuples and coordinates are packed, whatever the strides",
       {Parameter::Rank, Parameter::Size, Parameter::Attributes, Parameter::IndicesLayout},
       [](const Labels& l) {
         return !hasLayout(extents(l).indices, at(l, Parameter::IndicesLayout));
       }},
      {"an output of so few blocks and elements is packed, whatever the strides",
       {Parameter::Rank, Parameter::Size, Parameter::Attributes, Parameter::OutputLayout},
       [](const Labels& l) {
         return !hasLayout(extents(l).output, at(l, Parameter::OutputLayout));
       }},
      {"a tuple of several coordinates leaves too few dimensions to what it selects",
       {Parameter::Rank, Parameter::Attributes, Parameter::IndicesLayout, Parameter::OutputLayout},
       [](const Labels& l) {
         return at(l, Parameter::Attributes) == OnePartialTuple && at(l, Parameter::Rank) < 4 &&
                !hasLayout(0, at(l, Parameter::IndicesLayout)) &&
                !hasLayout(1, at(l, Parameter::OutputLayout));
       }},
      {"a single element is of one batch",
       {Parameter::Size, Parameter::Attributes},
       [](const Labels& l) {
         return at(l, Parameter::Size) == One && batchesOf(at(l, Parameter::Attributes)) > 0;
       }},
      {"where all elements of an input have one address, any index would do",
       {Parameter::Rank, Parameter::InputLayout},
       [](const Labels& l) {
         return at(l, Parameter::Rank) == 1 &&
                at(l, Parameter::InputLayout) == static_cast<uint8_t>(LayoutKind::Broadcast);
       },
       true},
      {"all indices of one element are alike, in any order",
       {Parameter::Size, Parameter::IndicesLayout},
       [](const Labels& l) {
         const uint8_t layout = at(l, Parameter::IndicesLayout);
         return at(l, Parameter::Size) == One &&
                (isPerm(layout) || layout == static_cast<uint8_t>(LayoutKind::Broadcast));
       },
       true},
      {"an output of one element only is the same in any order",
       {Parameter::Size, Parameter::OutputLayout},
       [](const Labels& l) {
         return at(l, Parameter::Size) == One && isPerm(at(l, Parameter::OutputLayout));
       },
       true},
  };
}

std::vector<Constraint> batchedGatherConstraints() {
  std::vector<Constraint> all = gatherConstraints();
  all.push_back({"batches, an indexed dimension and what is copied need as many dimensions",
                 {Parameter::Rank, Parameter::Attributes},
                 [](const Labels& l) {
                   const uint8_t attributes = at(l, Parameter::Attributes);
                   const uint32_t batches = batchesOf(attributes);
                   return batches > 0 &&
                          at(l, Parameter::Rank) < batches + 1 + (isWhole(attributes) ? 0 : 1);
                 }});
  return all;
}

void addGatherRules(std::string_view op, const Gather& gather, const Case& testCase,
                    std::vector<std::string_view>& rules) {
  const auto add = [&](std::string_view name) {
    const Rule* rule = findRule(std::string(op) + '.' + std::string(name));
    if (rule->checked == Checked::ByExecuting) rules.push_back(rule->id);
  };
  const DataType type = gather.input.type;
  add("available");
  add("gather");
  if (hasNans(testCase.fill, type)) add("nan-payload");
  if (hasFloat32Denormals(testCase.fill, type)) add("float32-denormals");
  if (hasNegativeIndices(gather.indices, testCase.index)) add("negative-indices");
}

}  // namespace dmlcts

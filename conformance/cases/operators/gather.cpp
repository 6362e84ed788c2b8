#include "conformance/cases/operators/gather.h"

#include <algorithm>

#include "conformance/cases/element_text.h"
#include "conformance/cases/operators/draw.h"
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

uint8_t gatherAttributes(const Gather& op) {
  const bool whole = op.blockRank() == 0;
  if (op.batchRank > 1) return whole ? BatchesWholeTuple : BatchesPartialTuple;
  if (op.batchRank == 1) return whole ? BatchWholeTuple : BatchPartialTuple;
  const bool one = elementCount(op.indices.sizes) == op.tupleSize();
  return one ? (whole ? OneWholeTuple : OnePartialTuple) : (whole ? WholeTuple : PartialTuple);
}

GatherShape drawGatherShape(Draws& draws, const Labels& labels) {
  const uint32_t rank = at(labels, P::Rank);
  const uint8_t attributes = at(labels, P::Attributes);
  const bool whole = attributes == WholeTuple || attributes == OneWholeTuple;
  const bool one = attributes == OneWholeTuple || attributes == OnePartialTuple;
  const uint32_t inputRank = between(draws, whole ? 1 : 2, rank);
  const uint32_t tupleSize = whole ? inputRank : between(draws, 1, inputRank - 1);
  const uint32_t mostAxes = std::min(rank - 1, rank - (inputRank - tupleSize));
  const uint32_t tupleAxes = between(draws, one || mostAxes == 0 ? 0 : 1, mostAxes);
  GatherShape shape{};
  shape.input = drawSizes(draws, inputRank, drawElements(draws, at(labels, P::Size)));
  shape.tuples = drawSizes(draws, tupleAxes, one ? 1 : between(draws, 2, 12));
  shape.tupleSize = tupleSize;
  return shape;
}

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
      {"one whole tuple selects one element, and that is packed in any order",
       {P::Attributes, P::OutputLayout},
       [](const Labels& l) {
         return at(l, P::Attributes) == OneWholeTuple && isPerm(at(l, P::OutputLayout));
       }},
      {"one tuple and one element make an output of one element, which is packed in any order",
       {P::Size, P::Attributes, P::OutputLayout},
       [](const Labels& l) {
         return at(l, P::Size) == One && at(l, P::Attributes) == OnePartialTuple &&
                isPerm(at(l, P::OutputLayout));
       }},
      {"in two dimensions one partial tuple is one index, which is packed in any order",
       {P::Rank, P::Attributes, P::IndicesLayout},
       [](const Labels& l) {
         return at(l, P::Rank) == 2 && at(l, P::Attributes) == OnePartialTuple &&
                isPerm(at(l, P::IndicesLayout));
       }},
  };
}

bool hasFragileValues(const Fill& fill, DataType type) {
  if (!info(type).isFloat) return false;
  switch (fill.kind) {
    case FillKind::Random:
    case FillKind::MinusZero:
    case FillKind::Unique:
    case FillKind::Mixed:
    case FillKind::OneBit:
    case FillKind::Denormals:
    case FillKind::NaNs:
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
      return true;
    case IndexKind::Negative:
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

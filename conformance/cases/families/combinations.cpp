// Every possible combination of the values of any three parameters: operator, level, types,
// dimension count, layouts, values, indices, sizes, attributes.

#include "conformance/cases/families/combinations.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "conformance/cases/covering_array.h"
#include "conformance/cases/families/build.h"
#include "conformance/cases/families/families.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/operator_syntax.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using P = Parameter;

constexpr uint64_t kMostDraws = 5000;  // of one row of the array; dozens are usual

uint32_t between(Draws& draws, uint32_t first, uint32_t last) {
  return first + static_cast<uint32_t>(draws.below(last - first + 1));
}

// Sizes of so many dimensions whose product is about `elements`.
Sizes drawSizes(Draws& draws, size_t count, uint32_t elements) {
  Sizes sizes(count, 1);
  uint32_t left = elements;
  for (size_t tries = 0; count > 0 && left > 1 && tries < 2 * count; ++tries) {
    uint32_t& size = sizes[draws.below(count)];
    if (size > 1) continue;
    size = between(draws, 1, std::min(left, 2 + left / 3));
    left /= size;
  }
  if (count > 0) sizes[draws.below(count)] *= left;
  return sizes;
}

uint32_t drawElements(Draws& draws, uint8_t size) {
  constexpr std::array<std::array<uint32_t, 2>, 5> kRanges{
      {{1, 1}, {4, 31}, {40, 255}, {300, 2000}, {4096, 6000}}};
  return between(draws, kRanges[size][0], kRanges[size][1]);
}

Sizes shuffledAxes(Draws& draws, size_t rank) {
  Sizes axes(rank);
  std::iota(axes.begin(), axes.end(), 0u);
  for (size_t i = rank; i > 1; --i) std::swap(axes[i - 1], axes[draws.below(i)]);
  return axes;
}

// Axes in any order in memory, with gaps; no two elements at one address.
Sizes gappedStrides(Draws& draws, const Sizes& sizes) {
  Sizes strides(sizes.size());
  uint64_t next = 1;
  for (uint32_t axis : shuffledAxes(draws, sizes.size())) {
    strides[axis] = static_cast<uint32_t>(next + draws.below(3));
    next = uint64_t{strides[axis]} * sizes[axis];
  }
  return strides;
}

void setLabel(Draws& draws, TensorDesc& tensor, uint8_t label, bool isOutput) {
  const auto rank = static_cast<uint32_t>(tensor.sizes.size());
  if (label == NoStrides) return;
  if (label == OtherLayout) return setStrides(tensor, gappedStrides(draws, tensor.sizes));
  const auto kind = static_cast<LayoutKind>(label);
  Sizes arguments;
  if (kind == LayoutKind::Perm) arguments = shuffledAxes(draws, rank);
  if (kind == LayoutKind::Pad) arguments = {between(draws, 1, 6)};
  if (kind == LayoutKind::Step) arguments = {between(draws, 2, 5)};
  if (kind == LayoutKind::Broadcast) {
    for (uint32_t axis = 0; axis < rank; ++axis) {
      const bool may = !isOutput || tensor.sizes[axis] == 1;
      if (may && draws.below(2) == 0) arguments.push_back(axis);
    }
    if (arguments.empty()) return;
  }
  setLayout(tensor, kind, arguments);
}

GatherNd drawGather(Draws& draws, const Labels& labels) {
  const uint32_t rank = at(labels, P::Rank);
  const uint8_t attributes = at(labels, P::Attributes);
  const bool whole = attributes == WholeTuple || attributes == OneWholeTuple;
  const bool one = attributes == OneWholeTuple || attributes == OnePartialTuple;
  const uint32_t inputRank = between(draws, whole ? 1 : 2, rank);
  const uint32_t tupleSize = whole ? inputRank : between(draws, 1, inputRank - 1);
  const uint32_t mostAxes = std::min(rank - 1, rank - (inputRank - tupleSize));
  const uint32_t tupleAxes = between(draws, one || mostAxes == 0 ? 0 : 1, mostAxes);
  const Sizes input = drawSizes(draws, inputRank, drawElements(draws, at(labels, P::Size)));
  const Sizes tuples = drawSizes(draws, tupleAxes, one ? 1 : between(draws, 2, 12));
  return makeGather(static_cast<DataType>(at(labels, P::InputType)),
                    static_cast<DataType>(at(labels, P::IndexType)), rank, input, tuples,
                    tupleSize);
}

NonzeroCoordinates drawNonzero(Draws& draws, const Labels& labels, bool anyRanks) {
  const uint32_t rank = at(labels, P::Rank);
  const uint8_t attributes = at(labels, P::Attributes);
  const uint32_t ones = between(draws, 0, rank - (attributes == AllColumns ? 0 : 1));
  const Sizes input = rightAligned(
      drawSizes(draws, rank - ones, drawElements(draws, at(labels, P::Size))), rank);
  const uint32_t fewest = std::max(1u, effectiveRank(input));
  const uint32_t columns = attributes == AllColumns      ? rank
                           : attributes == FewestColumns ? fewest
                                                         : between(draws, fewest, rank);
  const auto type = static_cast<DataType>(at(labels, P::InputType));
  return anyRanks
             ? makeNonzero(type, input, columns, between(draws, 1, 8), between(draws, 2, 8))
             : makeNonzero(type, input, columns);
}

Fill drawFill(Draws& draws, const Labels& labels, uint64_t elements) {
  static const std::array<std::vector<FillKind>, 5> kinds{{
      {FillKind::Zeros, FillKind::MinusZero},
      {FillKind::First, FillKind::Last, FillKind::Single, FillKind::Edges},
      {FillKind::Ramp, FillKind::Unique, FillKind::All},
      {FillKind::Mixed, FillKind::Random, FillKind::Alternate, FillKind::Runs, FillKind::Density},
      {FillKind::OneBit, FillKind::Denormals, FillKind::NaNs, FillKind::Infinities,
       FillKind::Extremes},
  }};
  const uint8_t values = at(labels, P::Values);
  // Zeros of one spelling would tell nothing of a gather.
  const bool gathers = at(labels, P::Operator) == 0;
  const FillKind kind = values == Zeros && gathers ? FillKind::MinusZero
                                                   : rotate(kinds[values], draws.bits());
  switch (info(kind).argument) {
    case FillArgument::Number:
      return fill(kind, 1 + draws.below(std::min<uint64_t>(elements, 64)));
    case FillArgument::Probability:
      return fill(kind, rotate(std::vector<uint64_t>{20'000, 200'000, 500'000, 900'000},
                               draws.bits()));
    default:
      return fill(kind);
  }
}

IndexFill drawIndices(Draws& draws, const Labels& labels) {
  static const std::array<std::vector<IndexKind>, 4> kinds{{
      {IndexKind::Random},
      {IndexKind::Negative, IndexKind::AllNegative},
      {IndexKind::First, IndexKind::Last, IndexKind::Boundary},
      {IndexKind::Identity, IndexKind::Reversed, IndexKind::Repeated},
  }};
  const uint8_t indices = at(labels, P::Indices);
  if (indices == NoIndex) return {};
  return index(rotate(kinds[indices], draws.bits()));
}

// Whether all elements of GATHER_ND's input have the same bits.
bool anyIndexWouldDo(const Case& testCase) {
  if (!hasIndices(testCase.descriptor)) return false;
  const std::vector<uint8_t> bytes = makeInputs(testCase).front();
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  const uint32_t width = info(input.type).bytes;
  return elementCount(input.sizes) != 1u && bytes.size() >= 2 * width &&
         std::equal(bytes.begin() + width, bytes.end(), bytes.begin());
}

}  // namespace

std::optional<Case> drawWithLabels(Draws& draws, const Labels& labels, uint64_t seed) {
  Case testCase;
  testCase.seed = seed;
  testCase.level = kLevels[at(labels, P::Level)];
  if (at(labels, P::Operator) == 0) {
    GatherNd op = drawGather(draws, labels);
    setLabel(draws, op.input, at(labels, P::InputLayout), false);
    setLabel(draws, op.indices, at(labels, P::IndicesLayout), false);
    setLabel(draws, op.output, at(labels, P::OutputLayout), true);
    testCase.descriptor = op;
  } else {
    NonzeroCoordinates op = drawNonzero(draws, labels, testCase.level >= Level::L4_0);
    setLabel(draws, op.input, at(labels, P::InputLayout), false);
    setLabel(draws, op.coords, at(labels, P::OutputLayout), true);
    testCase.descriptor = op;
  }
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  testCase.fill = drawFill(draws, labels, elementCount(input.sizes).value());
  testCase.index = drawIndices(draws, labels);
  const bool fits = labelsOf(testCase) == labels &&
                    check(testCase.descriptor, testCase.level).empty() &&
                    !inputProblem(testCase) && !anyIndexWouldDo(testCase);
  return fits ? std::optional(testCase) : std::nullopt;
}

void addCombinations(CaseList& list) {
  static const std::vector<Labels> rows = coveringArray(3);
  for (size_t row = 0; row < rows.size(); ++row) {
    Draws draws(row, 3);
    for (uint64_t tries = 0; tries < kMostDraws; ++tries) {
      if (const auto drawn = drawWithLabels(draws, rows[row], list.seed(row))) {
        list.execute(drawn->level, drawn->descriptor, drawn->fill, drawn->index, row);
        break;
      }
    }
  }
}

}  // namespace dmlcts

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
#include "conformance/cases/operators.h"
#include "conformance/cases/operators/draw.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using P = Parameter;

constexpr uint64_t kMostDraws = 5000;  // of one row of the array; dozens are usual

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
  const bool gathers = operatorFacts()[at(labels, P::Operator)].indicesSlot.has_value();
  const FillKind kind =
      values == Zeros && gathers ? FillKind::MinusZero : rotate(kinds[values], draws.bits());
  switch (info(kind).argument) {
    case FillArgument::Number:
      return fill(kind, 1 + draws.below(std::min<uint64_t>(elements, 64)));
    case FillArgument::Probability:
      return fill(kind,
                  rotate(std::vector<uint64_t>{20'000, 200'000, 500'000, 900'000}, draws.bits()));
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

// Whether all elements of an input that is indexed have the same bits.
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
  const OperatorFacts& facts = operatorFacts()[at(labels, P::Operator)];
  testCase.descriptor = makeOperator(facts.name).value();
  visitEntry(kCaseTable, testCase.descriptor, [&](const auto& entry, auto& op) {
    op = entry.draw(draws, withOwnAttributes(labels));
  });
  const auto descs = mutableTensors(testCase.descriptor);
  setLabel(draws, *descs[0], at(labels, P::InputLayout), false);
  if (facts.indicesSlot) {
    setLabel(draws, *descs[*facts.indicesSlot], at(labels, P::IndicesLayout), false);
  }
  setLabel(draws, *descs[facts.outputSlot], at(labels, P::OutputLayout), true);
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  testCase.fill = drawFill(draws, labels, elementCount(input.sizes).value());
  testCase.index = drawIndices(draws, labels);
  const bool fits = labelsOf(testCase) == labels &&
                    check(testCase.descriptor, testCase.level).empty() && !inputProblem(testCase) &&
                    !anyIndexWouldDo(testCase);
  return fits ? std::optional(testCase) : std::nullopt;
}

void addCombinations(CaseList& list) {
  static const std::vector<std::vector<Labels>> all = [] {
    std::vector<std::vector<Labels>> arrays;
    for (uint32_t edition = 1; edition <= editions(); ++edition) {
      arrays.push_back(coveringArray(3, valuesOfEdition(edition)));
    }
    return arrays;
  }();
  const std::vector<Labels>& rows = all[list.edition() - 1];
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

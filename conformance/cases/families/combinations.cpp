// Every possible combination of the values of any three parameters: operator, level, types,
// dimension count, layouts, values, indices, sizes, attributes; and of any two with the largest
// sizes.

#include <algorithm>
#include <array>
#include <optional>

#include "conformance/cases/covering_array.h"
#include "conformance/cases/families/build.h"
#include "conformance/cases/families/families.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/labels.h"
#include "conformance/cases/operator_syntax.h"
#include "conformance/cases/operators.h"
#include "conformance/cases/weak.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using P = Parameter;

constexpr uint64_t kMostLookedAt = 2u << 20;  // bytes of an input,
constexpr uint64_t kMostShared = 64u << 20;   // and of one whose elements share addresses
constexpr uint64_t kMostDraws = 5000;         // of one row of the array; dozens are usual
constexpr uint64_t kMostLooks = 250;          // at what is drawn

// Of one row of the array: sizes whose product is about `elements`.
class RowDraws final : public Draws {
 public:
  using Draws::Draws;

  Sizes sizes(size_t count, uint64_t elements) override {
    Sizes sizes(count, 1);
    auto left = static_cast<uint32_t>(elements);
    for (size_t tries = 0; count > 0 && left > 1 && tries < 2 * count; ++tries) {
      uint32_t& size = sizes[below(count)];
      if (size > 1) continue;
      size = between(1, std::min(left, 2 + left / 3));
      left /= size;
    }
    if (count > 0) sizes[below(count)] *= left;
    return sizes;
  }
};

Fill drawFill(Draws& draws, const Labels& labels, uint64_t elements) {
  static const std::array<std::vector<FillKind>, 5> kinds{{
      {FillKind::Zeros, FillKind::MinusZero},
      {FillKind::First, FillKind::Last, FillKind::Single, FillKind::Edges, FillKind::Edges},
      {FillKind::Ramp, FillKind::Unique, FillKind::All},
      {FillKind::Mixed, FillKind::Random, FillKind::Alternate, FillKind::Runs, FillKind::Density},
      {FillKind::OneBit, FillKind::Denormals, FillKind::NaNs, FillKind::Infinities,
       FillKind::Extremes},
  }};
  const uint8_t values = at(labels, P::Values);
  // Zeros of one spelling would tell nothing of a gather.
  const bool gathers = operatorFacts()[at(labels, P::Operator)].indicesSlot.has_value();
  const FillKind kind = values == Zeros && gathers ? FillKind::MinusZero : draws.of(kinds[values]);
  switch (info(kind).argument) {
    case FillArgument::Number:
      return fill(kind, 1 + draws.below(std::min<uint64_t>(elements, 64)));
    case FillArgument::Probability:
      return fill(kind, draws.of<uint64_t>({20'000, 200'000, 500'000, 900'000}));
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
  return index(draws.of(kinds[indices]));
}

// A case of that seed that has these labels, or nothing where the draws lead to none; others may.
std::optional<Case> drawWithLabels(Draws& draws, const Labels& labels, uint64_t seed) {
  Case testCase;
  testCase.seed = seed;
  testCase.level = kLevels[at(labels, P::Level)];
  testCase.descriptor = generate(draws, {.labels = labels});
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  testCase.fill = drawFill(draws, labels, elementCount(input.sizes).value());
  testCase.index = drawIndices(draws, labels);
  if (labelsOf(testCase) != labels || !check(testCase.descriptor, testCase.level).empty() ||
      inputProblem(testCase)) {
    return std::nullopt;
  }
  return testCase;
}

// Whether it can tell a broken target from a right one.
bool isOfWorth(const Case& testCase) {
  // Making millions of elements takes its time, and they are alike only where they are few in
  // memory, or share it so that the last one written decides.
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  const bool shares = input.totalBytes < elementCount(input.sizes).value() * info(input.type).bytes;
  if (input.totalBytes > (shares ? kMostShared : kMostLookedAt)) return true;
  const auto inputs = makeInputs(testCase);
  const bool vacuous =
      !visitEntry(kCaseTable, testCase.descriptor, [&](const auto& entry, const auto& op) {
         return entry.vacuous(op, inputs.front());
       }).empty();
  return !vacuous &&
         weakBecause(testCase.descriptor, inputs, evaluate(testCase.descriptor, inputs)).empty();
}

using LabelRows = std::vector<Labels>;

// Of each edition, the labels among which there is every combination of so many values.
std::vector<LabelRows> rowsOf(uint32_t strength, const Domain& domain) {
  std::vector<LabelRows> arrays;
  for (uint32_t edition = 1; edition <= editions(); ++edition) {
    arrays.push_back(coveringArray(strength, valuesOfEdition(edition, domain)));
  }
  return arrays;
}

void addRows(CaseList& list, const LabelRows& rows) {
  for (size_t row = 0; row < rows.size(); ++row) {
    if (!list.needsNext()) {
      list.skip();
      continue;
    }
    RowDraws draws(row, 4);
    uint64_t looks = 0;
    for (uint64_t tries = 0; tries < kMostDraws && looks < kMostLooks; ++tries) {
      const auto drawn = drawWithLabels(draws, rows[row], list.seed(row));
      if (!drawn) continue;
      ++looks;
      if (!isOfWorth(*drawn)) continue;
      list.execute(drawn->level, drawn->descriptor, drawn->fill, drawn->index, row);
      break;
    }
  }
}

}  // namespace

void addCombinations(CaseList& list) {
  static const std::vector<LabelRows> all = rowsOf(3, defaultValues());
  addRows(list, all[list.edition() - 1]);
}

void addLargeCombinations(CaseList& list) {
  static const std::vector<LabelRows> all = rowsOf(2, largeValues());
  addRows(list, all[list.edition() - 1]);
}

}  // namespace dmlcts

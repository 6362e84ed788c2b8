// Every possible combination of values of any three parameters: operator, level, types, dimension
// count, layouts, values, indices, sizes, attributes. With the largest sizes, of any two
// parameters.

#include "conformance/families/combinations.h"
#include "conformance/families/families.h"

#include <algorithm>
#include <array>
#include <utility>

#include "conformance/facts/operators.h"
#include "conformance/language/build.h"
#include "conformance/operators/generate.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

Fill drawFill(Draws& draws, const Labels& labels, uint64_t elements) {
  static const std::array<std::vector<FillKind>, 5> kinds{{
      {FillKind::Zeros, FillKind::MinusZero},
      {FillKind::First, FillKind::Last, FillKind::Single, FillKind::Edges, FillKind::Edges},
      {FillKind::Ramp, FillKind::Unique, FillKind::All},
      {FillKind::Mixed, FillKind::Random, FillKind::Alternate, FillKind::Runs, FillKind::Density},
      {FillKind::OneBit, FillKind::Denormals, FillKind::NaNs, FillKind::Infinities,
       FillKind::Extremes},
  }};
  const uint8_t values = at(labels, Parameter::Values);
  // Identical zeros would tell nothing about a gather.
  const bool gathers = operatorFacts()[at(labels, Parameter::Operator)].indicesSlot.has_value();
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
  const uint8_t indices = at(labels, Parameter::Indices);
  if (indices == NoIndex) return {};
  return index(draws.of(kinds[indices]));
}

struct WrittenRow {
  uint64_t labels;  // 4 bits each, the first parameter lowest
  uint32_t firstChoice;
};
// Each array begins with an entry whose `labels` is its number of rows.
constexpr WrittenRow kWritten[] = {
#include "conformance/families/combination_rows.inc"
};

using RowList = std::vector<CombinationRow>;

// The arrays of Tier::Default, one per edition, then those of Tier::Large.
const std::vector<RowList>& arrays() {
  static const std::vector<RowList> all = [] {
    std::vector<RowList> read;
    for (const WrittenRow* next = std::begin(kWritten); next != std::end(kWritten);) {
      RowList& rows = read.emplace_back((next++)->labels);
      for (CombinationRow& row : rows) {
        for (size_t i = 0; i < kParameters; ++i) row.labels[i] = next->labels >> (4 * i) & 15;
        row.firstChoice = (next++)->firstChoice;
      }
    }
    return read;
  }();
  return all;
}

std::span<const RowList> arrays(Tier tier) {
  const std::span<const RowList> all = arrays();
  return tier == Tier::Default ? all.first(all.size() / 2) : all.subspan(all.size() / 2);
}

void addRows(CaseList& list, Tier tier) {
  const auto rows = combinationRows(tier, list.edition());
  for (size_t row = 0; row < rows.size(); ++row) {
    if (!list.nextIsSampled()) {
      list.skip();
      continue;
    }
    if (rows[row].firstChoice == kNoCase) continue;
    RowDraws draws(row, rows[row].firstChoice);
    Case drawn = drawCombination(draws, rows[row].labels, list.seed(row));
    list.execute(drawn.level, std::move(drawn.descriptor), drawn.fill, drawn.index, row);
  }
}

}  // namespace

std::vector<uint32_t> RowDraws::sizes(size_t count, uint64_t elements) {
  std::vector<uint32_t> sizes(count, 1);
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

Case drawCombination(RowDraws& draws, const Labels& labels, uint64_t seed) {
  Case testCase;
  testCase.seed = seed;
  testCase.level = kLevels[at(labels, Parameter::Level)];
  testCase.descriptor = generate(draws, {.labels = labels});
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  testCase.fill = drawFill(draws, labels, elementCount(input.sizes).value());
  testCase.index = drawIndices(draws, labels);
  return testCase;
}

std::span<const CombinationRow> combinationRows(Tier tier, uint32_t edition) {
  const auto editions = arrays(tier);
  if (edition > editions.size()) return {};
  return editions[edition - 1];
}

std::vector<Combinations> combinationsOfRows(Tier tier, uint32_t strength) {
  std::vector<Combinations> all;
  for (auto& parameters : parameterChoices(strength)) {
    size_t count = 1;
    for (Parameter parameter : parameters) count *= valuesOf(parameter).size();
    std::vector<bool> occurs(count);
    for (const RowList& rows : arrays(tier)) {
      for (const CombinationRow& row : rows) {
        size_t number = 0;
        for (Parameter each : parameters)
          number = number * valuesOf(each).size() + at(row.labels, each);
        occurs[number] = true;
      }
    }
    Combinations& combinations = all.emplace_back(Combinations{std::move(parameters), {}});
    for (size_t number = 0; number < count; ++number) {
      if (!occurs[number]) continue;
      PartialLabels& labels = combinations.possible.emplace_back(anyLabels());
      size_t rest = number;
      for (size_t i = combinations.parameters.size(); i-- > 0;) {
        const Parameter each = combinations.parameters[i];
        at(labels, each) = static_cast<uint8_t>(rest % valuesOf(each).size());
        rest /= valuesOf(each).size();
      }
    }
  }
  return all;
}

void addCombinations(CaseList& list) { addRows(list, Tier::Default); }

void addLargeCombinations(CaseList& list) { addRows(list, Tier::Large); }

}  // namespace dmlcts

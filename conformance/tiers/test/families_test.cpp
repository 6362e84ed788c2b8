#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>

#include "conformance/facts/operators.h"
#include "conformance/facts/parameter_space.h"
#include "conformance/facts/rules_of.h"
#include "conformance/facts/weak.h"
#include "conformance/families/combinations.h"
#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "conformance/inputs/streamed_inputs.h"
#include "conformance/language/build.h"
#include "conformance/language/case_string.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/tiers/test/covering_array.h"
#include "conformance/tiers/tiers.h"
#include "reference/evaluate.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

const std::vector<Case>& casesIn(Tier tier) {
  static const std::array<std::vector<Case>, 4> all{cases(Tier::Smoke), cases(Tier::Default),
                                                    cases(Tier::Large), cases(Tier::Huge)};
  return all[static_cast<size_t>(tier)];
}

std::set<std::string_view> brokenRules(const Case& testCase) {
  std::set<std::string_view> ids;
  for (const BrokenRule& broken : check(testCase.descriptor, testCase.level)) {
    ids.insert(broken.rule->id);
  }
  return ids;
}

size_t executedIn(Tier tier) {
  return static_cast<size_t>(std::ranges::count(casesIn(tier), Expect::Execute, &Case::expect));
}

TEST(Tiers, HaveTheirSizes) {
  EXPECT_GE(casesIn(Tier::Smoke).size(), 600u);
  EXPECT_LE(casesIn(Tier::Smoke).size(), 6500u);
  EXPECT_LE(casesIn(Tier::Default).size(), 60'000u);
  EXPECT_GE(executedIn(Tier::Default), 20'000u);
  EXPECT_GE(casesIn(Tier::Large).size(), 50u);
}

TEST(Tiers, NameNoCaseTwice) {
  for (Tier tier : kTiers) {
    std::set<std::string> names;
    for (const Case& testCase : casesIn(tier)) {
      EXPECT_TRUE(names.insert(caseString(testCase)).second) << caseString(testCase);
    }
  }
}

TEST(Tiers, CasesRoundTripAndHaveNoProblem) {
  for (Tier tier : kTiers) {
    for (const Case& testCase : casesIn(tier)) {
      const std::string text = caseString(testCase);
      ASSERT_EQ(parseCase(text), testCase) << text;
      EXPECT_EQ(caseProblem(testCase), std::nullopt) << text;
    }
  }
}

TEST(Tiers, HaveAsManyCasesAsTheirFileSays) {
  std::string lines;
  for (Tier tier : kTiers) {
    std::map<std::string, uint64_t> counts;
    for (const Case& testCase : casesIn(tier)) {
      ++counts[std::string(operatorName(testCase.descriptor)) + ' ' +
               std::string(name(testCase.level))];
    }
    EXPECT_EQ(casesInTier(tier), counts);
    for (const auto& [cases, count] : counts) {
      lines += "{\"" + std::string(name(tier)) + "\", \"" + cases + "\", " + std::to_string(count) +
               "},\n";
    }
  }
  if (HasFailure()) std::cout << "conformance/tiers/tier_counts.inc must be:\n" << lines;
}

TEST(Tiers, SmokeIsASampleOfEveryDefaultFamily) {
  std::set<std::string> names;
  for (const Case& testCase : casesIn(Tier::Default)) names.insert(caseString(testCase));
  std::set<std::string_view> sampled;
  for (const Case& testCase : casesIn(Tier::Smoke)) {
    EXPECT_TRUE(names.contains(caseString(testCase)));
    sampled.insert(testCase.family);
  }
  for (const Family& family : kFamilies) {
    const bool sampledFrom = family.tier == Tier::Default && family.smokeEvery > 0;
    EXPECT_EQ(sampled.contains(family.name), sampledFrom) << family.name;
  }
}

TEST(Tiers, MoveNoMoreThanTheyMay) {
  const auto bytesIn = [](Tier tier) {
    uint64_t bytes = 0;
    for (const Case& testCase : casesIn(tier)) {
      if (testCase.expect != Expect::Execute) continue;
      for (const TensorSlot& slot : tensors(testCase.descriptor)) bytes += slot.desc->totalBytes;
    }
    return bytes;
  };
  EXPECT_LT(bytesIn(Tier::Smoke), 145'000'000u);
  EXPECT_LT(bytesIn(Tier::Default), 2'940'000'000u);
}

// No exceptions: if a rule cannot be broken alone, no case breaks it.
TEST(Families, OnlyRejectedCasesBreakARuleAndThatAlone) {
  for (Tier tier : kTiers) {
    for (const Case& testCase : casesIn(tier)) {
      std::set<std::string_view> broken;
      if (testCase.expect == Expect::Reject) broken.insert(testCase.rejectBy);
      ASSERT_EQ(brokenRules(testCase), broken) << caseString(testCase);
    }
  }
}

TEST(Families, ExecutedCasesHaveInputsAndIndicesInRange) {
  for (const Case& testCase : casesIn(Tier::Default)) {
    if (testCase.expect != Expect::Execute) continue;
    ASSERT_EQ(inputProblem(testCase), std::nullopt) << caseString(testCase);
    // Without indices, inputs cannot be out of range.
    if (!hasIndices(testCase.descriptor)) continue;
    ASSERT_NE(testCase.index.kind, IndexKind::Wild) << caseString(testCase);
    ASSERT_TRUE(indicesInRange(testCase, makeInputs(testCase))) << caseString(testCase);
  }
  for (Tier tier : {Tier::Large, Tier::Huge}) {
    for (const Case& testCase : casesIn(tier)) {
      ASSERT_EQ(inputProblem(testCase), std::nullopt) << caseString(testCase);
    }
  }
}

// Inputs with many shared addresses may hold equal elements, because the last write decides.
TEST(Large, CombinationsOfSharedAddressesAreNotVacuous) {
  size_t looked = 0;
  for (const Case& testCase : casesIn(Tier::Large)) {
    const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
    if (testCase.family != "large-combinations" || input.totalBytes > 16u << 20 ||
        input.totalBytes >= elementCount(input.sizes).value() * info(input.type).bytes) {
      continue;
    }
    ++looked;
    const auto inputs = makeInputs(testCase);
    const auto expected = evaluate(testCase.descriptor, inputs);
    EXPECT_EQ(weakBecause(testCase.descriptor, inputs, expected), "") << caseString(testCase);
  }
  EXPECT_GT(looked, 10u);
}

// Each tensor of each operator reaches past 2^32 bytes, packed and strided. The count's total alone
// does.
TEST(Huge, ReachesPast4GiBInEachTensor) {
  EXPECT_GE(casesIn(Tier::Huge).size(), 40u);
  std::map<std::string, std::array<uint64_t, 2>> most;  // bytes, packed and with strides
  uint64_t elements = 0;
  uint64_t before = 0;
  for (const Case& testCase : casesIn(Tier::Huge)) {
    ASSERT_EQ(streamProblem(testCase), std::nullopt) << caseString(testCase);
    EXPECT_GE(tensorBytes(testCase), before) << "the smaller ones come first";
    before = tensorBytes(testCase);
    EXPECT_LE(before, uint64_t{24} << 30) << caseString(testCase);
    EXPECT_GE(before, uint64_t{1} << 31) << caseString(testCase);
    for (const TensorSlot& slot : tensors(testCase.descriptor)) {
      const std::string name =
          std::string(operatorName(testCase.descriptor)) + '.' + std::string(slot.name);
      uint64_t& bytes = most[name][slot.desc->strides ? 1 : 0];
      bytes = std::max(bytes, slot.desc->totalBytes);
      elements = std::max(elements, elementCount(slot.desc->sizes).value());
    }
  }
  EXPECT_EQ(most.size(), 9u);
  for (const auto& [name, bytes] : most) {
    EXPECT_GT(bytes[0], uint64_t{1} << 32) << name;
    if (name.ends_with(".count")) continue;
    EXPECT_GT(bytes[1], uint64_t{1} << 32) << name;
  }
  EXPECT_GE(elements, UINT32_MAX);
}

struct Cell {
  std::string op;
  Level level;
  DataType type;
  uint32_t rank;
  auto operator<=>(const Cell&) const = default;
};

// Every documented operator, data type, dimension count and level.
TEST(Families, FillEveryDocumentedCell) {
  std::map<Cell, std::pair<int, int>> found;  // executed, rejected
  for (const Case& testCase : casesIn(Tier::Default)) {
    const TensorDesc& input = *tensors(testCase.descriptor)[0].desc;
    auto& [executed, rejected] =
        found[{std::string(operatorName(testCase.descriptor)), testCase.level, input.type,
               static_cast<uint32_t>(input.sizes.size())}];
    (testCase.expect == Expect::Reject ? rejected : executed) += 1;
  }
  int cells = 0;
  const auto expectFull = [&](std::string_view op, Level level, DataType type, uint32_t rank) {
    const auto [executed, rejected] = found[{std::string(op), level, type, rank}];
    const auto where = testing::Message() << op << " level " << name(level) << " "
                                          << info(type).name << " rank " << rank;
    EXPECT_GE(executed, 5) << where;
    EXPECT_GE(rejected, 3) << where;
    ++cells;
  };
  for (Level level : kLevels) {
    for (const OperatorFacts& op : operatorFacts()) {
      for (DataType type : op.dataTypes(level)) {
        for (uint32_t rank : op.dimensionCounts(level)) expectFull(op.name, level, type, rank);
      }
    }
  }
  // 8 types: GATHER_ND 1 + 12 * 8, NONZERO_COORDINATES 2 * 2 + 10 * 8 dimension counts and levels.
  // GATHER_ND1 has 8 types at 12 levels. Both gathers have 3 more types at 9 levels.
  EXPECT_EQ(cells, 8 * (97 + 84) + 8 * 8 * 12 + 2 * 8 * 3 * 9);
}

TEST(Families, ExerciseEveryRule) {
  for (Tier tier : {Tier::Smoke, Tier::Default}) {
    std::set<std::string_view> exercised;
    for (const Case& testCase : casesIn(tier)) {
      for (std::string_view rule : rulesOf(testCase)) exercised.insert(rule);
    }
    for (const Rule& rule : rules()) {
      if (rule.checked == Checked::Always) continue;
      EXPECT_EQ(exercised.contains(rule.id), rule.checked != Checked::NotAtAll) << rule.id;
    }
  }
}

// Asks for cases that are not weak. Every possible pair is part of a possible triple.
TEST(Families, CoverEveryTripleOfParameters) {
  std::vector<Labels> labels;
  for (const Case& testCase : casesIn(Tier::Default)) {
    if (testCase.expect != Expect::Execute || !weakBecause(testCase).empty()) continue;
    labels.push_back(labelsOf(testCase));
  }
  size_t missing = 0;
  for (const Combinations& combinations : possibleCombinations(3)) {
    std::set<PartialLabels> found;
    for (const Labels& each : labels) {
      PartialLabels some = anyLabels();
      for (Parameter parameter : combinations.parameters) at(some, parameter) = at(each, parameter);
      found.insert(some);
    }
    for (const PartialLabels& possible : combinations.possible) {
      if (found.contains(possible) || ++missing >= 20) continue;
      std::string text;
      for (Parameter p : combinations.parameters) {
        text += std::string(name(p)) + "=" + std::string(valuesOf(p)[at(possible, p)]) + " ";
      }
      ADD_FAILURE() << text;
    }
  }
  EXPECT_EQ(missing, 0u);
}

// Checks the file's parameter space; the test combination_rows compares the rest.
TEST(Combinations, OfTheRowsAreAllPossibleOnes) {
  const auto expectAll = [](Tier tier, uint32_t strength, const Domain& domain) {
    const auto possible = possibleCombinations(strength, domain);
    const auto found = combinationsOfRows(tier, strength);
    ASSERT_EQ(found.size(), possible.size());
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].parameters, possible[i].parameters);
      EXPECT_EQ(found[i].possible, possible[i].possible);
    }
  };
  expectAll(Tier::Default, 3, defaultValues());
  expectAll(Tier::Default, 2, defaultValues());
  expectAll(Tier::Large, 2, largeValues());
}

// Executed cases break only constraints marked isOfWorth, whose cases are mostly weak.
TEST(Families, ExecutedCasesLieInTheParameterSpace) {
  std::map<std::string_view, uint64_t> weak;
  std::map<std::string_view, uint64_t> others;
  for (const Case& testCase : casesIn(Tier::Default)) {
    if (testCase.expect != Expect::Execute) continue;
    const Constraint* broken = brokenConstraint(labelsOf(testCase));
    if (!broken) continue;
    ASSERT_TRUE(broken->isOfWorth) << caseString(testCase) << ": " << broken->reason;
    (weakBecause(testCase).empty() ? others : weak)[broken->reason] += 1;
  }
  for (const auto& [reason, count] : others) EXPECT_LT(9 * count, weak[reason]) << reason;
}

// True if the case exposes a target that uses the first batch of that input for all batches.
bool showsIgnoredBatches(const Case& testCase, size_t slot) {
  Descriptor wrong = testCase.descriptor;
  TensorDesc& tensor = *mutableTensors(wrong)[slot];
  const auto counts = dimensionCounts(testCase.descriptor);
  auto strides = elementStrides(tensor).value();
  const size_t first = tensor.sizes.size() - counts[slot];
  for (size_t batch = 0; batch < counts[2]; ++batch) strides[first + batch] = 0;
  tensor.strides.emplace(strides.begin(), strides.end());
  const auto inputs = makeInputs(testCase);
  return evaluate(testCase.descriptor, inputs)[0].bytes != evaluate(wrong, inputs)[0].bytes;
}

TEST(Families, TellBatchesApart) {
  std::array<int, 2> shown{}, all{};
  for (const Case& testCase : casesIn(Tier::Default)) {
    if (testCase.family != "batches") continue;
    const auto counts = dimensionCounts(testCase.descriptor);
    const TensorDesc& input = *tensors(testCase.descriptor)[0].desc;
    const auto firstBatch = input.sizes.end() - static_cast<ptrdiff_t>(counts[0]);
    const auto batches = elementCount({firstBatch, firstBatch + static_cast<ptrdiff_t>(counts[2])});
    if (batches == 1u || elementCount(input.sizes) > 1'000'000u) continue;
    for (size_t slot : {0u, 1u}) {
      all[slot] += 1;
      shown[slot] += showsIgnoredBatches(testCase, slot);
    }
  }
  EXPECT_GT(all[0], 500);
  // Broadcast batches are a layout of their own, and a single index has few values.
  EXPECT_GT(shown[0], all[0] * 9 / 10);
  EXPECT_GT(shown[1], all[1] * 9 / 10);
}

// Every size class meets every data type, every density or slice, and every layout of the two
// tensors, so that no kernel's path is exempt from a size.
TEST(Families, ScalesCoverPairsOfSizes) {
  struct Size {
    std::set<DataType> types;
    std::set<std::string> contents;  // fill, or bytes of a slice
    std::set<std::pair<bool, bool>> layouts;
  };
  constexpr size_t kPerSize = 12;
  std::map<std::string_view, size_t> counts;
  std::map<std::pair<std::string_view, size_t>, Size> sizes;
  for (const Case& testCase : casesIn(Tier::Default)) {
    if (testCase.family != "scales") continue;
    const OperatorFacts& facts = factsOf(testCase.descriptor);
    const auto slots = tensors(testCase.descriptor);
    const TensorDesc& input = *slots[0].desc;
    const TensorDesc& output = *slots[facts.outputSlot].desc;
    Size& size = sizes[{facts.name, counts[facts.name]++ / kPerSize}];
    size.types.insert(input.type);
    size.layouts.emplace(input.strides.has_value(), output.strides.has_value());
    const std::string text = caseString(testCase);
    size.contents.insert(facts.indicesSlot ? std::to_string(output.sizes.back())
                                           : text.substr(text.find("fill=")));
  }
  EXPECT_EQ(sizes.size(), 3u * 10);  // the last has 2^21 and 2^22, once for each side
  for (const auto& [at, size] : sizes) {
    const auto where = testing::Message() << at.first << ", size " << at.second;
    if (at.second == 9) continue;
    EXPECT_EQ(size.types.size(), std::ranges::find(operatorFacts(), at.first, &OperatorFacts::name)
                                     ->dataTypes(kLevels.back())
                                     .size())
        << where;
    EXPECT_EQ(size.layouts.size(), 4u) << where;
    EXPECT_GE(size.contents.size(), 4u) << where;
  }
}

// A rejection proves nothing unless the same descriptor without the fault is accepted.
TEST(Families, RejectionsStandBesideTheirControls) {
  const auto rejections = std::ranges::find(kFamilies, "rejections", &Family::name);
  ASSERT_NE(rejections, kFamilies.end());
  const auto all = casesOf(*rejections, Tier::Default);
  const Case* control = nullptr;
  for (const Case& testCase : all) {
    if (testCase.expect == Expect::Execute) {
      control = &testCase;
      continue;
    }
    ASSERT_NE(control, nullptr);
    EXPECT_EQ(control->level, testCase.level);
    EXPECT_EQ(operatorName(control->descriptor), operatorName(testCase.descriptor));
    EXPECT_EQ(tensors(control->descriptor)[0].desc->type,
              tensors(testCase.descriptor)[0].desc->type);
  }
}

// Rejections by old levels only are distinguished from rejections by every level.
TEST(Families, KnowWhichRejectionsAreBecauseOfTheLevel) {
  std::set<std::string_view> byLevel, byEvery;
  for (const Case& testCase : casesIn(Tier::Default)) {
    if (testCase.expect != Expect::Reject) continue;
    (rejectedByLevelOnly(testCase, kLevels.back()) ? byLevel : byEvery).insert(testCase.rejectBy);
  }
  EXPECT_THAT(
      byLevel,
      testing::IsSupersetOf(
          {"gather_nd1.available", "gather_nd1.data-types-3.0", "gather_nd.rank-2.1",
           "gather_nd.data-types-2.1", "gather_nd.index-types-2.1", "nonzero_coordinates.available",
           "nonzero_coordinates.rank-3.0", "nonzero_coordinates.dimension-counts"}));
  EXPECT_FALSE(byLevel.contains("gather_nd.tuple-size"));
  EXPECT_TRUE(byEvery.contains("gather_nd.tuple-size"));
}

TEST(RulesOf, NameWhatACaseBringsIntoPlay) {
  const auto rulesOfText = [](std::string_view text) { return rulesOf(parseCase(text)); };
  EXPECT_THAT(rulesOfText("gather_nd1 level=4.1 input=f64:2x3x4 indices=i64:2x5x1 output=2x5x4 "
                          "dims=3,3,1 fill=unique index=negative"),
              testing::ElementsAre("gather_nd1.gather", "gather_nd1.negative-indices"));
  EXPECT_THAT(rulesOfText("gather_nd level=3.0 input=f32:4x3 indices=i32:2x1 output=2x3 "
                          "index=allnegative layout.input=broadcast(0) fill=nans"),
              testing::ElementsAre("tensor.strides", "tensor.input-overlap", "gather_nd.available",
                                   "gather_nd.gather", "gather_nd.nan-payload",
                                   "gather_nd.negative-indices"));
  EXPECT_THAT(rulesOfText("gather_nd level=3.0 input=f32:4x3 indices=i32:2x1 output=2x3 "
                          "strides.input=1,1 fill=denormals"),
              testing::IsSupersetOf({"tensor.input-windows", "gather_nd.float32-denormals"}));
  EXPECT_THAT(rulesOfText("gather_nd level=3.0 input=u8:4 indices=i32:2x1 output=2 align.input=8"),
              testing::Contains("tensor.base-offset-alignment-below-16"));
  EXPECT_THAT(rulesOfText("gather_nd level=6.4 input=u8:65537x65537 indices=u32:4x2 output=1x4 "
                          "layout.input=step(0) expect=accept"),
              testing::ElementsAre("tensor.elements-past-32-bits"));
  EXPECT_THAT(rulesOfText("gather_nd level=3.0 input=u8:4 indices=i32:2x1 output=2 align.input=16"),
              testing::Not(testing::Contains("tensor.base-offset-alignment-below-16")));
  EXPECT_THAT(
      rulesOfText("nonzero_coordinates level=4.0 input=u8:100 coords=100x1 fill=all "
                  "layout.coords=step(2) total.count=8"),
      testing::ElementsAre("tensor.strides", "tensor.untouched", "tensor.total-bytes-excess",
                           "nonzero_coordinates.nonzero", "nonzero_coordinates.count",
                           "nonzero_coordinates.coordinates", "nonzero_coordinates.order"));
  EXPECT_THAT(rulesOfText("nonzero_coordinates level=4.0 input=f32:4 coords=4x1 total.input=12 "
                          "expect=reject(tensor.total-bytes-cover)"),
              testing::ElementsAre("tensor.total-bytes-cover"));
}

}  // namespace
}  // namespace dmlcts

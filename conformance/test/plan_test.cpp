// Plans and shards, and the shrinker.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/cases/case_string.h"
#include "conformance/plan.h"
#include "conformance/shrink.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

PlanOptions smoke() {
  PlanOptions options;
  options.tier = "smoke";
  return options;
}

TEST(Plan, ShardsPartitionItAndCostAboutTheSame) {
  const RunPlan whole = makePlan(smoke());
  std::multiset<std::string> all;
  for (const PlannedCase& each : whole.cases) all.insert(each.text);
  std::multiset<std::string> seen;
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  for (uint32_t shard = 0; shard < 5; ++shard) {
    PlanOptions options = smoke();
    options.shardIndex = shard;
    options.shardCount = 5;
    const RunPlan part = makePlan(options);
    EXPECT_EQ(part.hash, whole.hash);
    uint64_t cost = 0;
    for (const PlannedCase& each : part.cases) {
      seen.insert(each.text);
      cost += estimatedCost(each.testCase);
    }
    least = std::min(least, cost);
    most = std::max(most, cost);
  }
  EXPECT_EQ(seen, all);
  EXPECT_LT(static_cast<double>(most), 1.2 * static_cast<double>(least));
}

TEST(Plan, IsTheSameEveryTime) { EXPECT_EQ(makePlan(smoke()).hash, makePlan(smoke()).hash); }

TEST(Plan, SeedChangesEveryCase) {
  PlanOptions other = smoke();
  other.seed = 1;
  std::set<std::string> names;
  for (const PlannedCase& each : makePlan(smoke()).cases) names.insert(each.text);
  for (const PlannedCase& each : makePlan(other).cases) {
    if (each.testCase.expect == Expect::Execute) {
      EXPECT_FALSE(names.contains(each.text)) << each.text;
    }
  }
}

TEST(Plan, RefusesWhatDoesNotExist) {
  PlanOptions options = smoke();
  options.tier = "huge";
  EXPECT_THROW(makePlan(options), std::invalid_argument);
  options = smoke();
  options.shardIndex = 2;
  options.shardCount = 2;
  EXPECT_THROW(makePlan(options), std::invalid_argument);
  options = smoke();
  options.queries = {"gather_nd bad"};
  EXPECT_THROW(makePlan(options), SyntaxError);
}

TEST(Shrink, OnlyOffersCasesThatAreAsValid) {
  for (const PlannedCase& each : makePlan(smoke()).cases) {
    if (each.testCase.expect != Expect::Execute) continue;
    if (elementCount(tensors(each.testCase.descriptor).front().desc->sizes) > 1000) continue;
    for (const Case& simpler : simplerCases(each.testCase)) {
      ASSERT_TRUE(check(simpler.descriptor, simpler.level).empty()) << caseString(simpler);
      ASSERT_NE(caseString(simpler), each.text);
    }
  }
}

TEST(Shrink, FindsTheBoundary) {
  const Case big = parseCase(
      "nonzero_coordinates level=4.0 input=i8:3x50x70 coords=1x10500x3 fill=random seed=9 "
      "layout.input=pad(1)");
  int steps = 0;
  const Case small = shrink(
      big,
      [](const Case& candidate) {
        const auto& op = std::get<NonzeroCoordinates>(candidate.descriptor);
        return elementCount(op.input.sizes).value() >= 100;
      },
      400, &steps);
  const auto& op = std::get<NonzeroCoordinates>(small.descriptor);
  EXPECT_EQ(elementCount(op.input.sizes), 100u) << caseString(small);
  EXPECT_FALSE(op.input.strides);
  EXPECT_GT(steps, 3);
}

TEST(Shrink, KeepsACaseThatCannotBeSimpler) {
  const Case one = parseCase("nonzero_coordinates level=4.0 input=u8:1 coords=1x1 fill=first");
  EXPECT_EQ(shrink(one, [](const Case&) { return true; }), one);
}

}  // namespace
}  // namespace dmlcts

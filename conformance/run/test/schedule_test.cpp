// Schedules and shards.

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "conformance/language/case_string.h"
#include "conformance/run/progress.h"
#include "conformance/run/schedule.h"

namespace dmlcts {
namespace {

ScheduleOptions smoke() {
  ScheduleOptions options;
  options.tier = "smoke";
  return options;
}

struct Shards {
  std::vector<Schedule> schedules;
  double spread = 0;  // most expensive shard divided by cheapest
};

Shards shardsOf(ScheduleOptions options, uint32_t count) {
  Shards shards;
  std::vector<uint64_t> totals;
  options.shardCount = count;
  for (options.shardIndex = 0; options.shardIndex < count; ++options.shardIndex) {
    shards.schedules.push_back(chooseCases(options));
    uint64_t& total = totals.emplace_back(0);
    for (const ScheduledCase& each : shards.schedules.back().cases) {
      total += estimatedCost(each.testCase);
    }
  }
  const auto [least, most] = std::ranges::minmax(totals);
  shards.spread = static_cast<double>(most) / static_cast<double>(least);
  return shards;
}

std::multiset<std::string> allTexts(const std::vector<Schedule>& schedules) {
  std::multiset<std::string> texts;
  for (const Schedule& schedule : schedules) {
    for (const ScheduledCase& each : schedule.cases) texts.insert(each.text);
  }
  return texts;
}

TEST(Schedule, ShardsPartitionItAndCostAboutTheSame) {
  const Schedule whole = chooseCases(smoke());
  const Shards shards = shardsOf(smoke(), 5);
  EXPECT_LT(shards.spread, 1.2);
  for (const Schedule& shard : shards.schedules) {
    EXPECT_EQ(shard.hash, whole.hash);
    EXPECT_EQ(shard.partitionHash, shards.schedules.front().partitionHash);
  }
  EXPECT_NE(shards.schedules.front().partitionHash,
            shardsOf(smoke(), 4).schedules.front().partitionHash);
  EXPECT_EQ(allTexts(shards.schedules), allTexts({whole}));
}

TEST(Schedule, SeedChangesEveryCase) {
  ScheduleOptions other = smoke();
  other.seed = 1;
  const auto names = allTexts({chooseCases(smoke())});
  for (const ScheduledCase& each : chooseCases(other).cases) {
    if (each.testCase.expect == Expect::Execute) {
      EXPECT_FALSE(names.contains(each.text)) << each.text;
    }
  }
}

TEST(Schedule, TimeLeftIsByCostAndByTheSpeedOfTheLastSeconds) {
  TimeLeft left(1000);
  left.add(1, 0.5);
  left.add(99, 9.5);
  EXPECT_NEAR(left.seconds(), 90, 9);            // a tenth of the cost took 10 s
  for (int i = 0; i < 100; ++i) left.add(1, 1);  // failures: each is repeated
  EXPECT_NEAR(left.seconds(), 800, 80);
}

}  // namespace
}  // namespace dmlcts

// Schedules and shards.

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>

#include "conformance/cases/language/case_string.h"
#include "conformance/run/schedule.h"

namespace dmlcts {
namespace {

ScheduleOptions smoke() {
  ScheduleOptions options;
  options.tier = "smoke";
  return options;
}

// Returns a journal of every `step`-th case, with times unrelated to the estimate.
Journal slowJournal(const Schedule& schedule, size_t step) {
  Journal journal;
  std::mt19937 random(5);
  for (size_t i = 0; i < schedule.cases.size(); i += step) {
    JournalEntry entry;
    entry.caseString = schedule.cases[i].text;
    const bool slow = random() % 20 == 0;
    entry.seconds = (slow ? 1.0 : 0.001) * static_cast<double>(1 + random() % 1000) / 1000;
    journal.entries.push_back(entry);
  }
  return journal;
}

struct Shards {
  std::vector<Schedule> schedules;
  double spread = 0;  // most expensive shard divided by cheapest
};

// Totals each shard by `costs`, independent of the costs used for sharding.
Shards shardsOf(ScheduleOptions options, uint32_t count, const MeasuredCosts& costs) {
  Shards shards;
  std::vector<uint64_t> totals;
  options.shardCount = count;
  for (options.shardIndex = 0; options.shardIndex < count; ++options.shardIndex) {
    shards.schedules.push_back(makeSchedule(options));
    uint64_t& total = totals.emplace_back(0);
    for (const ScheduledCase& each : shards.schedules.back().cases) {
      const auto found = costs.find(PlanHash::of(each.text));
      if (found != costs.end()) total += found->second;
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
  const Schedule whole = makeSchedule(smoke());
  MeasuredCosts estimated;
  for (const ScheduledCase& each : whole.cases) {
    estimated[PlanHash::of(each.text)] = estimatedCost(each.testCase);
  }
  const Shards shards = shardsOf(smoke(), 5, estimated);
  EXPECT_LT(shards.spread, 1.2);
  for (const Schedule& shard : shards.schedules) EXPECT_EQ(shard.hash, whole.hash);
  EXPECT_EQ(allTexts(shards.schedules), allTexts({whole}));
}

MeasuredCosts measuredCosts(const std::vector<Journal>& journals) {
  MeasuredCosts costs;
  for (const Journal& journal : journals) {
    for (const JournalEntry& entry : journal.entries) addCost(entry, costs);
  }
  return costs;
}

TEST(Schedule, SharesOutByMeasuredSeconds) {
  const Schedule whole = makeSchedule(smoke());
  const std::vector<Journal> journals{slowJournal(whole, 1)};
  ScheduleOptions options = smoke();
  const MeasuredCosts costs = measuredCosts(journals);
  ASSERT_EQ(costs.size(), whole.cases.size());
  EXPECT_GT(shardsOf(options, 9, costs).spread, 1.1) << "the estimate balances these times, too";

  options.costs = costs;
  const Shards shards = shardsOf(options, 9, costs);
  EXPECT_LT(shards.spread, 1.1);
  for (const Schedule& shard : shards.schedules) {
    EXPECT_EQ(shard.hash, whole.hash) << "costs are not part of the plan";
    EXPECT_EQ(shard.partitionHash, shards.schedules[0].partitionHash);
  }
  EXPECT_EQ(allTexts(shards.schedules), allTexts({whole}));
}

TEST(Schedule, CostsAJournalLacksAreEstimatedInItsUnit) {
  const Schedule whole = makeSchedule(smoke());
  // Every other case takes 50 us per 64 KiB of its estimate, so the rest must cost that too.
  Journal journal;
  const auto nanoseconds = [](const ScheduledCase& each) {
    return static_cast<double>(estimatedCost(each.testCase)) / 65536 * 50e3;
  };
  for (size_t i = 0; i < whole.cases.size(); i += 2) {
    JournalEntry& entry = journal.entries.emplace_back();
    entry.caseString = whole.cases[i].text;
    entry.seconds = nanoseconds(whole.cases[i]) / 1e9;
  }
  const auto costs = costsOf(whole.cases, measuredCosts({journal}));
  ASSERT_EQ(costs.size(), whole.cases.size());
  for (size_t i = 0; i < costs.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(costs[i]), nanoseconds(whole.cases[i]),
                2 + 1e-3 * nanoseconds(whole.cases[i]))
        << whole.cases[i].text;
  }
}

// The result must not depend on the order of journals, lines or hash tables.
TEST(Schedule, PartitionIsTheSameOnEveryHost) {
  const std::vector<Journal> forwards{slowJournal(makeSchedule(smoke()), 3)};
  std::vector<Journal> backwards = forwards;
  std::ranges::reverse(backwards[0].entries);
  ScheduleOptions here = smoke();
  here.costs = measuredCosts(forwards);
  ScheduleOptions there = smoke();
  there.costs = measuredCosts(backwards);
  there.costs.rehash(100003);
  const Shards one = shardsOf(here, 7, here.costs);
  const Shards other = shardsOf(there, 7, there.costs);
  for (size_t i = 0; i < one.schedules.size(); ++i) {
    EXPECT_EQ(one.schedules[i].partitionHash, other.schedules[i].partitionHash);
    ASSERT_EQ(one.schedules[i].cases.size(), other.schedules[i].cases.size());
    for (size_t k = 0; k < one.schedules[i].cases.size(); ++k) {
      ASSERT_EQ(one.schedules[i].cases[k].text, other.schedules[i].cases[k].text);
    }
  }
  there.costs.begin()->second *= 1000;
  EXPECT_NE(shardsOf(there, 7, there.costs).schedules[0].partitionHash,
            one.schedules[0].partitionHash)
      << "other costs are another partition, and the journals must say so";
}

TEST(Schedule, DamagedTimesDoNoHarm) {
  Journal journal;
  for (double seconds : {-1.0, 0.0, 1e300, 1e-30}) {
    JournalEntry& entry = journal.entries.emplace_back();
    entry.caseString = std::to_string(seconds) + std::to_string(journal.entries.size());
    entry.seconds = seconds;
  }
  const MeasuredCosts costs = measuredCosts({journal});
  EXPECT_EQ(costs.size(), 2u);
  for (const auto& [text, cost] : costs) EXPECT_GE(cost, 1u) << text;
}

TEST(Schedule, SeedChangesEveryCase) {
  ScheduleOptions other = smoke();
  other.seed = 1;
  const auto names = allTexts({makeSchedule(smoke())});
  for (const ScheduledCase& each : makeSchedule(other).cases) {
    if (each.testCase.expect == Expect::Execute) {
      EXPECT_FALSE(names.contains(each.text)) << each.text;
    }
  }
}

TEST(Schedule, RefusesWhatDoesNotExist) {
  ScheduleOptions options = smoke();
  options.tier = "enormous";
  EXPECT_THROW(makeSchedule(options), std::invalid_argument);
  options = smoke();
  options.shardIndex = 2;
  options.shardCount = 2;
  EXPECT_THROW(makeSchedule(options), std::invalid_argument);
  options = smoke();
  options.queries = {"gather_nd bad"};
  EXPECT_THROW(makeSchedule(options), SyntaxError);
}

}  // namespace
}  // namespace dmlcts

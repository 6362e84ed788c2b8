#include "reports/summary/coverage.h"

#include <gtest/gtest.h>

#include "conformance/facts/operators.h"
#include "conformance/facts/traits.h"
#include "conformance/facts/weak.h"
#include "conformance/families/combinations.h"
#include "conformance/language/case_string.h"
#include "conformance/tiers/tiers.h"

namespace dmlcts {
namespace {

std::set<Labels> labelsIn(Tier tier) {
  std::set<Labels> all;
  for (const Case& testCase : cases(tier)) {
    if (testCase.expect == Expect::Execute) all.insert(labelsOf(testCase));
  }
  return all;
}

void add(const Case& testCase, CoveringLabels& covering) {
  covering.add(labelsOf(testCase), [&] { return !weakBecause(testCase).empty(); });
}

// No case's labels are called impossible.
TEST(ParameterSpace, HasEveryConformanceCase) {
  for (Tier tier : kTiers) {
    for (const Case& testCase : cases(tier)) {
      if (testCase.expect != Expect::Execute) continue;
      const Constraint* broken = brokenConstraint(labelsOf(testCase));
      EXPECT_TRUE(!broken || broken->isOfWorth) << broken->reason;
    }
  }
}

// Weak cases are left out.
TEST(Coverage, OfTheDefaultTierIsWhole) {
  CoveringLabels covering;
  for (const Case& testCase : cases(Tier::Default)) {
    if (testCase.expect == Expect::Execute) add(testCase, covering);
  }
  const std::set<Labels>& seen = covering.get();
  for (uint32_t strength : {2u, 3u}) {
    const Coverage coverage = measureCoverage(seen, strength);
    EXPECT_TRUE(coverage.missing.empty()) << textOf(coverage.missing.front());
  }
}

TEST(Coverage, DoesNotCountWeakCases) {
  const auto covered = [](const char* text) {
    CoveringLabels covering;
    add(parseCase(text), covering);
    return covering.get().size();
  };
  EXPECT_EQ(covered("gather_nd level=3.0 input=f32:1x9 indices=u32:4x1 output=1x4 dims=1,2 "
                    "fill=unique index=identity seed=1"),
            1u);
  EXPECT_EQ(covered("gather_nd level=3.0 input=f32:1x9 indices=u32:4x1 output=1x4 dims=1,2 "
                    "fill=unique index=first seed=1"),
            0u);
}

// This ramp has a zero, so it counts although most ramps are worthless here.
TEST(Coverage, CountsWhatTellsAgainstTheRule) {
  const Case ramp = parseCase(
      "nonzero_coordinates level=6.4 input=u8:16x32 coords=512x2 fill=ramp seed=1 "
      "layout.input=perm(1,0)");
  const Constraint* broken = brokenConstraint(labelsOf(ramp));
  ASSERT_TRUE(broken && broken->isOfWorth);
  CoveringLabels covering;
  add(ramp, covering);
  EXPECT_EQ(covering.get().size(), 1u);
}

TEST(Coverage, OfTheLargeTierHasEveryPairWithItsSizes) {
  const Coverage pairs = measureCoverage(labelsIn(Tier::Large), 2, Tier::Large);
  EXPECT_EQ(pairs.covered, pairs.possible);
  EXPECT_GT(pairs.possible, 2000u);
}

std::vector<Labels> rowsOf(Tier tier) {
  std::vector<Labels> all;
  for (uint32_t edition = 1; edition <= editions(); ++edition) {
    for (const CombinationRow& row : combinationRows(tier, edition)) all.push_back(row.labels);
  }
  return all;
}

// The covering arrays alone cover everything; half of them do not.
TEST(Coverage, OfTheCoveringArraysIsWhole) {
  const std::vector<Labels> rows = rowsOf(Tier::Default);
  for (uint32_t strength : {2u, 3u}) {
    const Coverage whole = measureCoverage({rows.begin(), rows.end()}, strength);
    EXPECT_TRUE(whole.missing.empty()) << strength;
    EXPECT_EQ(whole.covered, whole.possible);
    const auto half = rows.begin() + static_cast<ptrdiff_t>(rows.size() / 2);
    const Coverage less = measureCoverage({half, rows.end()}, strength);
    EXPECT_FALSE(less.missing.empty());
  }
}

// Journals keep labels as words.
TEST(Labels, ReadBackFromTheirWords) {
  for (const Case& testCase : cases(Tier::Smoke)) {
    if (testCase.expect != Expect::Execute) continue;
    const Labels labels = labelsOf(testCase);
    const std::string words = wordsOf(labels);
    EXPECT_EQ(parseLabels(words), labels) << words;
    EXPECT_EQ(words.substr(words.rfind(' ') + 1), attributesOf(testCase));
    EXPECT_EQ(parseLabels(words.substr(0, words.rfind(' '))), std::nullopt);
    EXPECT_EQ(parseLabels(words + " more"), std::nullopt);
  }
  EXPECT_EQ(parseLabels(""), std::nullopt);
}

TEST(Coverage, IsOfWhatJournalsRecord) {
  const auto labelsOfOne = [](const auto& change) {
    JournalEntry entry;
    entry.executed = true;
    entry.verdict = Verdict::Pass;
    entry.labels = wordsOf(combinationRows(Tier::Default, 1).front().labels);
    change(entry);
    return labelsOf(std::vector{entry});
  };
  EXPECT_EQ(labelsOfOne([](JournalEntry&) {}),
            std::set{combinationRows(Tier::Default, 1).front().labels});
  EXPECT_TRUE(labelsOfOne([](JournalEntry& entry) { entry.weak = true; }).empty());
  for (Verdict verdict : {Verdict::NotSupported, Verdict::NotAsked, Verdict::Skipped}) {
    EXPECT_TRUE(labelsOfOne([&](JournalEntry& entry) { entry.verdict = verdict; }).empty());
  }
  EXPECT_TRUE(labelsOfOne([](JournalEntry& entry) { entry.labels.clear(); }).empty());
}

TEST(Coverage, NamesWhatIsMissing) {
  const std::set<Labels> seen{rowsOf(Tier::Default).front()};
  const Coverage pairs = measureCoverage(seen, 2);
  EXPECT_EQ(pairs.covered, kParameters * (kParameters - 1) / 2);
  EXPECT_EQ(pairs.missing.size(), pairs.possible - pairs.covered);
  EXPECT_EQ(textOf(pairs.missing.front()).find("operator "), 0u);
}

}  // namespace
}  // namespace dmlcts

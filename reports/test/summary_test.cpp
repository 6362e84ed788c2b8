#include "reports/summary/summary.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "reports/journal/input_file.h"
#include "reports/render/writers.h"
#include "reports/summary/alike_cases.h"
#include "reports/summary/wording.h"
#include "reports/test/sample_journals.h"

// The summary counts nothing twice, and names everything that is missing.

namespace dmlcts {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Report of(std::vector<Journal> journals) { return summarize(journals); }

JournalEntry entry(const std::string& caseString, Verdict verdict) {
  JournalEntry made = executed(caseString, verdict, 0.5);
  made.rules = {"gather_nd.gather"};
  return made;
}

Journal journal(std::vector<JournalEntry> entries, uint32_t shardIndex = 0,
                uint32_t shardCount = 1) {
  JournalHeader header;
  header.tier = "smoke";
  header.planHash = "plan";
  header.shardIndex = shardIndex;
  header.shardCount = shardCount;
  Journal made = journalOf(std::move(entries), header);
  made.name = "shard" + std::to_string(shardIndex);
  return made;
}

TEST(Summary, NothingRun) {
  for (const Report& report : {of({}), of({journal({})}), of({Journal{}})}) {
    EXPECT_EQ(conclude(report).headline, "No case was run.");
    EXPECT_NE(conclude(report).tone, Conclusion::Tone::Good);
  }
}

TEST(Summary, EveryVerdictKeepsItsName) {
  for (Verdict verdict : kVerdicts) {
    const Report report = of({journal({entry("a", Verdict::Pass), entry("b", verdict)})});
    EXPECT_EQ(report.totals[verdict], verdict == Verdict::Pass ? 2u : 1u);
    const bool listed = isFailure(verdict) || verdict == Verdict::InternalError;
    EXPECT_EQ(report.failures.size(), listed ? 1u : 0u) << name(verdict);
    const Conclusion conclusion = conclude(report);
    EXPECT_EQ(conclusion.tone == Conclusion::Tone::Bad, failsRun(verdict)) << name(verdict);
    if (isFailure(verdict)) {
      EXPECT_THAT(conclusion.detail, HasSubstr(std::string(name(verdict))));
    } else if (verdict == Verdict::Waived) {
      EXPECT_EQ(conclusion.headline, "No new failure: 1 passed, 1 known failure waived.");
    } else if (verdict != Verdict::Pass) {
      EXPECT_THAT(conclusion.headline, HasSubstr("1 of 2 cases passes, 1 "));
      EXPECT_EQ(conclusion.detail, "");
    }
  }
}

TEST(Summary, MatrixCountsExecutionsAndRejectionsApart) {
  JournalEntry rejection = entry("r", Verdict::Pass);
  rejection.executed = false;
  JournalEntry elsewhere = entry("e", Verdict::Fail);
  elsewhere.rank = 4;
  const Report report = of({journal({entry("a", Verdict::Pass), rejection, elsewhere})});
  ASSERT_EQ(report.matrix.size(), 2u);
  EXPECT_EQ(report.matrix[0].rank, 3u);
  EXPECT_EQ(report.matrix[0].executed, 1u);
  EXPECT_EQ(report.matrix[0].rejected, 1u);
  EXPECT_EQ(report.matrix[1].totals[Verdict::Fail], 1u);
  uint64_t cells = 0;
  for (const MatrixRow& row : report.matrix) cells += row.totals.all();
  EXPECT_EQ(cells, report.totals.all());
}

TEST(Summary, HolesHaveReasons) {
  JournalEntry old = entry("gather_nd level=2.1", Verdict::Pass);
  old.level = "2.1";
  old.rank = 4;
  JournalEntry half = entry("gather_nd input=f16", Verdict::Pass);
  half.type = "f16";
  half.rank = 5;
  const Report report = of({journal({old, half})});
  const auto reason = [&](std::string_view level, std::string_view type, uint32_t rank) {
    for (const Hole& hole : report.holes) {
      if (hole.level == level && hole.type == type && hole.rank == rank) return hole.reason;
    }
    return std::string();
  };
  EXPECT_THAT(reason("2.1", "f32", 5), HasSubstr("gather_nd.rank-2.1"));
  EXPECT_EQ(reason("2.1", "f16", 4), "No case of this run covers it.");
  EXPECT_EQ(reason("2.1", "f32", 4), "") << "not a hole";
}

TEST(Summary, RulesAreTraceable) {
  JournalEntry failing = entry("b", Verdict::Fail);
  failing.family = "values";
  failing.rules = {"gather_nd.gather", "gather_nd.gather", "future.rule"};
  const Report report = of({journal({entry("a", Verdict::Pass), failing})});
  const RuleRow& gather = ruleOf(report, "gather_nd.gather");
  ASSERT_TRUE(gather.rule);
  EXPECT_EQ(gather.rule->id, gather.id);
  EXPECT_EQ(gather.totals.all(), 2u) << "named twice by a case, counted once";
  EXPECT_EQ(gather.totals.failures(), 1u);
  EXPECT_THAT(gather.families, ElementsAre("matrix", "values"));
  EXPECT_FALSE(ruleOf(report, "future.rule").rule);
  EXPECT_EQ(ruleOf(report, "gather_nd.output-rank").totals.all(), 0u);
  const auto& failed = levelOf(report, "gather_nd", "4.0").failedRules;
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_EQ(failed[0].id, "future.rule") << "all of its cases failed";
  EXPECT_EQ(failed[1].cases, 2u);
}

TEST(Summary, ARuleOfOneFailedCaseIsNotNamedBeforeThatOfAll) {
  std::vector<JournalEntry> entries;
  for (int i = 0; i < 10; ++i) {
    entries.push_back(entry("f" + std::to_string(i), Verdict::Fail));
    entries.back().rules = {"gather_nd.gather", "gather_nd.negative-indices"};
  }
  entries.back().rules = {"gather_nd.gather", "gather_nd.negative-indices", "tensor.input-windows"};
  for (int i = 0; i < 90; ++i) {
    entries.push_back(entry("p" + std::to_string(i), Verdict::Pass));
    entries.back().rules = {"gather_nd.gather"};
  }
  entries.back().rules = {"gather_nd.gather", "gather_nd.negative-indices"};
  const Report report = of({journal(std::move(entries))});
  EXPECT_EQ(levelOf(report, "gather_nd", "4.0").failedRules[0].id, "gather_nd.negative-indices");
}

// Turns, reverses and shuffles the entries: each order needs other cycles to be sorted.
TEST(Summary, CasesInAnyOrderGiveTheSameReport) {
  std::vector<Journal> journals = sampleJournals(500);
  std::vector<JournalEntry>& entries = journals.front().entries;
  const std::vector<JournalEntry> expected = summarize(journals).cases;
  ASSERT_EQ(expected.size(), entries.size());
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    std::rotate(entries.begin(), entries.begin() + i, entries.end());
    EXPECT_EQ(summarize(journals).cases, expected) << "turned by " << i;
    std::ranges::reverse(entries);
    EXPECT_EQ(summarize(journals).cases, expected) << "reversed";
    std::ranges::shuffle(entries, random);
    EXPECT_EQ(summarize(journals).cases, expected) << "shuffled";
  }
}

TEST(Merge, ShardsInAnyOrderGiveTheSameReport) {
  auto journals = sampleJournals(500, 3);
  const Report forward = summarize(journals);
  std::ranges::reverse(journals);
  const Report backward = summarize(journals);
  EXPECT_TRUE(forward.complete());
  EXPECT_EQ(forward.cases, backward.cases);
  EXPECT_EQ(forward.failures, backward.failures);
  EXPECT_EQ(forward.cases.size(), forward.totals.all());
}

// Entries that stand for others count as much as these.
TEST(AlikeCases, AreCountedAsIfEachWereKept) {
  const std::vector<Journal> whole = sampleJournals(6000, 1);
  Journal journal;
  journal.add(whole[0].headers[0]);
  AlikeCases alike(500);
  for (const JournalEntry& each : whole[0].entries) alike.add(journal, each);
  for (const JournalWorkerFailure& workerFailure : whole[0].workerFailures)
    journal.add(workerFailure);
  EXPECT_LT(journal.entries.size(), 4000u);

  const Report all = summarize(whole);
  const Report some = summarize({&journal, 1});
  EXPECT_EQ(some.caseCount, all.caseCount);
  EXPECT_EQ(some.totals, all.totals);
  EXPECT_EQ(some.complete(), all.complete());
  EXPECT_NEAR(some.seconds, all.seconds, 1e-6);
  EXPECT_EQ(some.cases[some.slowest[0]].seconds, all.cases[all.slowest[0]].seconds);
  const auto linesOf = [](const Report& report, const char* leftOut) {
    nlohmann::ordered_json json = toDocument(report, 0);
    std::string lines;
    for (const char* member : {"totals", "plans", "claims", "compliance", "matrix", "holes",
                               "rules", "waivers", "notRun", "weak", "cases"}) {
      if (member != std::string_view(leftOut)) lines += json[member].dump(1);
    }
    return lines;
  };
  EXPECT_EQ(linesOf(some, ""), linesOf(all, ""));
  EXPECT_EQ(faultsOf(some), faultsOf(all));
  EXPECT_EQ(some.coverage().has_value(), all.coverage().has_value());
}

TEST(AlikeCases, CountForTheRulesThatTheyBreak) {
  const std::string rule = "gather_nd.nan-payload";
  AlikeCases alike(0);
  Journal journal;
  alike.add(journal, JournalHeader());
  for (const char* name : {"a", "b", "c"}) {
    JournalEntry arguable = entry(name, Verdict::Arguable);
    arguable.op = "gather_nd";
    arguable.violated = {rule};
    alike.add(journal, arguable);
  }
  ASSERT_EQ(journal.entries.size(), 1u);
  const Report report = summarize({&journal, 1});
  const auto found = std::ranges::find(report.rules, rule, &RuleRow::id);
  ASSERT_NE(found, report.rules.end());
  EXPECT_EQ(found->violated, 3u);
}

// A verdict of a case without one replaces it; two verdicts of a case cannot be told from two
// cases.
TEST(AlikeCases, KeepCasesWithoutAVerdict) {
  AlikeCases alike(1);
  Journal journal;
  alike.add(journal, JournalHeader());
  for (const char* name : {"a", "b", "c", "d"}) {
    alike.add(journal, entry(name, *name == 'c' ? Verdict::InternalError : Verdict::Pass));
  }
  alike.add(journal, entry("c", Verdict::Pass));
  const Report report = summarize({&journal, 1});
  EXPECT_LT(report.cases.size(), 4u);
  EXPECT_EQ(report.totals[Verdict::Pass], 4u);
  EXPECT_EQ(report.totals.all(), 4u);
  EXPECT_THROW(alike.add(journal, entry("d", Verdict::Fail)), InputError);
}

TEST(Merge, DuplicatesAreNamedAndTheGraverCounts) {
  for (const auto& [first, second] :
       {std::pair(Verdict::Pass, Verdict::Fail), std::pair(Verdict::Fail, Verdict::Pass)}) {
    const Report report =
        of({journal({entry("a", first)}, 0, 2), journal({entry("a", second)}, 1, 2)});
    ASSERT_EQ(report.duplicates.size(), 1u);
    EXPECT_EQ(report.duplicates[0].caseString, "a");
    EXPECT_EQ(report.duplicates[0].counted, Verdict::Fail);
    EXPECT_EQ(report.duplicates[0].other, Verdict::Pass);
    EXPECT_EQ(report.totals.all(), 1u);
    EXPECT_EQ(report.totals[Verdict::Fail], 1u);
    EXPECT_FALSE(report.complete());
    EXPECT_THAT(conclude(report).remarks, Contains(HasSubstr("more than one verdict")));
  }
}

TEST(Merge, MissingShardsAreNamedByIndex) {
  const Report report =
      of({journal({entry("a", Verdict::Pass)}, 2, 7), journal({entry("b", Verdict::Pass)}, 4, 7)});
  ASSERT_EQ(report.schedules.size(), 1u);
  EXPECT_THAT(report.schedules[0].missingShards,
              ElementsAre(IndexRange{0, 1}, IndexRange{3, 3}, IndexRange{5, 6}));
  EXPECT_FALSE(report.complete());
  EXPECT_THAT(conclude(report).remarks, Contains("Shards 6 to 7 of 7: No journal was given."));
  EXPECT_NE(conclude(report).tone, Conclusion::Tone::Good);
}

TEST(Merge, AbsurdShardCountsTakeNoMemory) {
  const Report report = of({journal({entry("a", Verdict::Pass)}, 5, 4'294'967'295u)});
  EXPECT_EQ(report.schedules[0].missingShards.size(), 2u);
}

TEST(Wording, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(24310), "24,310");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "case"), "1 case");
}

TEST(Wording, ReplayCommandsSurviveAShell) {
  Report report;
  report.run.target = "mutant:drop_last";
  const auto replay = [&](const std::string& text) {
    return replayCommand(report, entry(text, Verdict::Fail));
  };
  EXPECT_EQ(replay("gather_nd input=f32:* layout.input=perm(1,0)"),
            "dmlcts replay --target mutant:drop_last "
            "\"gather_nd input=f32:* layout.input=perm(1,0)\"");
  EXPECT_EQ(replay("a$(b)'c"), "dmlcts replay --target mutant:drop_last 'a$(b)'\\''c'");
  EXPECT_EQ(replay(""), "dmlcts replay --target mutant:drop_last \"\"");
  report.run.strict = true;
  EXPECT_EQ(replay("a"), "dmlcts replay --target mutant:drop_last --strict a");
  report.run.replayArguments = "--worker \"ssh host dmlcts-worker\" --mode graph";
  EXPECT_EQ(replay("a"), "dmlcts replay --worker \"ssh host dmlcts-worker\" --mode graph a");
}

TEST(Wording, AFlakyCaseIsReplayedSeveralTimes) {
  Report report;
  report.run.target = "d3d12";
  EXPECT_EQ(replayCommand(report, entry("a", Verdict::Flaky)),
            "dmlcts replay --target d3d12 --repeat 20 a");
  report.run.replayArguments = "--target d3d12 --repeat 3";
  EXPECT_EQ(replayCommand(report, entry("a", Verdict::Flaky)),
            "dmlcts replay --target d3d12 --repeat 3 a");
}

}  // namespace
}  // namespace dmlcts

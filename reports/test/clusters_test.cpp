#include "reports/summary/clusters.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "conformance/facts/query.h"
#include "conformance/facts/terms.h"
#include "conformance/facts/traits.h"
#include "conformance/language/case_string.h"
#include "conformance/tiers/tiers.h"
#include "reports/render/writers.h"
#include "reports/summary/summary.h"
#include "reports/summary/wording.h"
#include "reports/test/sample_journals.h"

// Failures by cause: no claim that the cases do not support.

namespace dmlcts {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A run of them in which the cases matching the query have that verdict.
Report runOf(std::string_view failing, Verdict verdict = Verdict::Fail) {
  const Query query(failing);
  std::vector<JournalEntry> entries;
  for (const auto& [testCase, passed] : passedCases()) {
    JournalEntry& entry = entries.emplace_back(passed);
    if (query.matches(testCase)) entry.verdict = verdict;
  }
  return summarize(std::vector{journalOf(std::move(entries))});
}

TEST(Clusters, OneFaultIsOneCluster) {
  const Report report = runOf("gather_nd has=negative-index");
  ASSERT_EQ(report.clusters.size(), 1u);
  const Cluster& cluster = report.clusters[0];
  EXPECT_EQ(cluster.query, "gather_nd has=negative-index");
  EXPECT_EQ(cluster.cases, report.failures);
  EXPECT_THAT(faultsOf(report), HasSubstr("1 fault, "));
  EXPECT_THAT(headlineOf(cluster), EndsWith(" Fail: every case of gather_nd, with a negative index "
                                            "(gather_nd has=negative-index)"));
  EXPECT_THAT(extentOf(cluster), HasSubstr("operators gather_nd; all data types; ranks "));
  EXPECT_THAT(extentOf(cluster), HasSubstr("; levels 3.0 to 6.4"));
  EXPECT_THAT(extentOf(cluster),
              HasSubstr(" cases that match the rest of the query but not has=negative-index pass"));
  for (size_t index : cluster.cases) {
    EXPECT_GE(report.cases[index].caseString.size(),
              report.cases[cluster.shortest].caseString.size());
  }
}

TEST(Clusters, NameTheLevelsThatAnOperatorHas) {
  const Cluster whole = runOf("gather_nd1 expect=execute").clusters.front();
  EXPECT_THAT(extentOf(whole), HasSubstr("; levels 3.0 to 6.4"));
}

TEST(Clusters, AreBoundsOfWhatAGatherSelects) {
  for (const char* cause : {"tuple>=2", "batches>=2", "slice>=17", "outputs>=1025"}) {
    const Report report = runOf(cause);
    ASSERT_EQ(report.clusters.size(), 1u) << cause;
    EXPECT_THAT(report.clusters[0].query, StartsWith(std::string(cause).substr(0, 7))) << cause;
  }
}

// The shortest case must be one that broke the named rule.
TEST(Clusters, NameTheRuleThatMostCasesBroke) {
  Report report = runOf("gather_nd has=negative-index");
  const auto say = [&](size_t every, const char* rule) {
    for (size_t i = 0; i < report.failures.size(); i += every) {
      report.cases[report.failures[i]].violated = {rule};
    }
    return findClusters(report).front();
  };
  EXPECT_FALSE(say(3, "gather_nd.gather").rule.broken) << "a third of them is not most";
  const Cluster named = say(1, "gather_nd.negative-indices");
  EXPECT_EQ(named.rule.id, "gather_nd.negative-indices");
  EXPECT_TRUE(named.rule.broken);
  EXPECT_THAT(ruleTextOf(report, named),
              StartsWith("breaks gather_nd.negative-indices: From level 3.0"));
  report.cases[named.shortest].violated = {"gather_nd.gather"};
  const Cluster other = findClusters(report).front();
  EXPECT_EQ(other.rule.id, named.rule.id);
  EXPECT_NE(other.shortest, named.shortest);
}

// A coincidence in one case is no second rule.
TEST(Clusters, RulesOfCausesAreCounted) {
  Report report = runOf("gather_nd has=negative-index");
  for (size_t index : report.failures) {
    report.cases[index].violated = {"gather_nd.negative-indices"};
  }
  report.cases[report.failures.back()].violated = {"gather_nd.negative-indices", "tensor.strides"};
  report.clusters = findClusters(report);
  EXPECT_THAT(brokenRules(report).certain, ElementsAre(".negative-indices"));
  EXPECT_THAT(brokenRules(report).possible, ElementsAre(".strides"));
  EXPECT_THAT(conclude(report).sentence, HasSubstr(": 1 rule violated, possibly 2, in "));
  // Without a cause, each failure speaks for itself.
  report.clusters.clear();
  EXPECT_EQ(brokenRules(report).certain.size(), 2u);
}

// A rule that several operators have is one rule, named as the shortest case's operator names it.
TEST(Clusters, NameARuleThatTwoOperatorsShare) {
  Report report = runOf("has=negative-index");
  for (const size_t index : report.failures) {
    report.cases[index].violated = {report.cases[index].op + ".negative-indices"};
  }
  const Cluster cluster = findClusters(report).front();
  const JournalEntry& shortest = report.cases[cluster.shortest];
  EXPECT_EQ(cluster.dimensions.front().values, "gather_nd, gather_nd1");
  EXPECT_EQ(cluster.rule.id, shortest.op + ".negative-indices");
  EXPECT_TRUE(cluster.rule.broken);
}

TEST(Clusters, NameTheRuleOfTheShortestCaseWithoutACommonOne) {
  Report report = runOf("gather_nd has=negative-index");
  const char* const broken[] = {"tensor.inputs-unchanged", "gather_nd.gather", "tensor.strides"};
  size_t next = 0;
  for (const size_t index : report.failures) {
    report.cases[index].violated = {broken[next++ % 3]};
    report.cases[index].rules = RuleIds();
  }
  const Cluster cluster = findClusters(report).front();
  EXPECT_EQ(cluster.rule.id, "");
  EXPECT_THAT(
      ruleTextOf(report, cluster),
      StartsWith("its shortest case breaks " + report.cases[cluster.shortest].violated.front()));
}

TEST(Clusters, NameTheBoundThatRejectedCasesHaveInCommon) {
  const auto ruleOf = [](const char* cause, bool alsoOthers = false) {
    Report report = runOf(std::string("expect=execute ") + cause);
    for (size_t index : report.failures) {
      report.cases[index].kinds = {{std::string(kind::kRejected), 1}};
    }
    // A case that must be accepted names the rule that allows it.
    report.cases[report.failures.front()].violated = {"tensor.input-windows"};
    if (alsoOthers) report.cases[report.failures.front()].kinds[std::string(kind::kHresult)] = 1;
    return findClusters(report).front().rule;
  };
  const CauseRule rank = ruleOf("gather_nd rank=8");
  EXPECT_EQ(rank.id, "gather_nd.rank");
  EXPECT_TRUE(rank.broken);
  EXPECT_EQ(ruleOf("nonzero_coordinates input=i8:*").id, "nonzero_coordinates.data-types");
  EXPECT_EQ(ruleOf("gather_nd indices=u64:*").id, "gather_nd.index-types");
  EXPECT_FALSE(ruleOf("gather_nd rank=8", true).broken) << "one failed in another way";
  EXPECT_FALSE(ruleOf("gather_nd rank=8 input=f16:*").broken) << "neither bound says so";
  EXPECT_FALSE(ruleOf("gather_nd has=negative-index").broken) << "no bound of a descriptor";
}

// Not every case shows the fault, and cases with a zero show it less often: has=zero must not
// become part of the cause.
TEST(Clusters, WhatLeavesOutFewPassingCasesIsNoPartOfTheCause) {
  Report report = runOf("has=negative-index");
  const Query hides("has=zero");
  std::vector<size_t> failing;
  for (size_t i = 0; i < report.failures.size(); ++i) {
    JournalEntry& entry = report.cases[report.failures[i]];
    if (i % 3 == 0 || (i % 4 != 1 && hides.matches(parseCase(entry.caseString)))) {
      entry.verdict = Verdict::Pass;
    } else {
      failing.push_back(report.failures[i]);
    }
  }
  report.failures = failing;
  report.clusters = findClusters(report);
  EXPECT_EQ(report.clusters[0].query, "has=negative-index");
  EXPECT_GE(report.clusters[0].cases.size() + 1, failing.size()) << "one may have no cause";
}

TEST(Clusters, TermsAreSaidInWords) {
  EXPECT_EQ(wordsOf("has=negative-index"), "with a negative index");
  EXPECT_EQ(wordsOf("has!=one-nonzero"), "with none or several nonzero elements");
  EXPECT_EQ(wordsOf("elements>=4096"), "with 4,096 input elements or more");
  EXPECT_EQ(wordsOf("rank<=3"), "of rank 3 or less");
  EXPECT_EQ(wordsOf("level=4.0"), "at level 4.0");
  EXPECT_EQ(wordsOf("gather_nd1"), "of gather_nd1");
  EXPECT_EQ(wordsOf("layout.input!=*"), "with layout.input!=*");
  for (std::string_view trait : kTraitNames) {
    EXPECT_NE(wordsOf(fmt::format("has={}", trait)), wordsOf(fmt::format("has!={}", trait)));
    EXPECT_THAT(wordsOf(fmt::format("has={}", trait)), StartsWith("with"));
  }
}

TEST(Clusters, TheTerminalSaysHowMuchIsWrong) {
  Report report = runOf("gather_nd has=negative-index");
  JournalEntry& entry = report.cases[report.clusters[0].shortest];
  entry.caseString =
      "gather_nd level=4.0 input=f32:4x12 indices=i32:4x1 output=4x12 index=negative";
  entry.kinds["wrong-elements"] = 1;
  entry.differences = {{.note = "output[0,0] is wrong"}};
  EXPECT_THAT(terminalSummary(report),
              HasSubstr("  Fail, 1 of 48 elements: output[0,0] is wrong\n"));
  entry.kinds["wrong-elements"] = 49;  // more than this shape has
  EXPECT_THAT(terminalSummary(report), HasSubstr("  Fail: output[0,0] is wrong\n"));
  entry.kinds.clear();
  EXPECT_THAT(terminalSummary(report), HasSubstr("  Fail: output[0,0] is wrong\n"));
  // Both outputs count: 5 rows of 2, and the count.
  entry.caseString = "nonzero_coordinates level=4.0 input=f32:1x5 coords=5x2";
  entry.kinds["wrong-elements"] = 2;
  EXPECT_THAT(terminalSummary(report), HasSubstr("  Fail, 2 of 11 elements: "));
}

TEST(Clusters, DimensionsThatRestrictSayHow) {
  const Report report = runOf("nonzero_coordinates rank>=5 input=?16:* expect=execute");
  ASSERT_EQ(report.clusters.size(), 1u);
  EXPECT_THAT(extentOf(report.clusters[0]), HasSubstr("ranks 5 to 8"));
  EXPECT_THAT(extentOf(report.clusters[0]), HasSubstr("data types f16, i16, u16"));
}

TEST(Clusters, WhatHasNoCauseComesLast) {
  Report report = runOf("gather_nd has=negative-index");
  report.cases[report.failures[1]].caseString = "of another version";
  report.clusters = findClusters(report);
  ASSERT_EQ(report.clusters.size(), 2u);
  EXPECT_EQ(report.clusters[1].query, "");
  EXPECT_THAT(report.clusters[1].cases, ElementsAre(report.failures[1]));
  EXPECT_THAT(faultsOf(report), HasSubstr("1 fault in "));
  EXPECT_THAT(headlineOf(report.clusters[1]), HasSubstr("1 Fail, which no query"));
}

// A fault that shows by chance: some of its cases passed when they were repeated.
TEST(Clusters, FailAndFlakyAreOneCause) {
  Report report = runOf("nonzero_coordinates elements>=256");
  for (size_t i = 0; i < report.failures.size(); ++i) {
    JournalEntry& entry = report.cases[report.failures[i]];
    entry.kinds = {{std::string(kind::kWrongElements), 1}};
    entry.violated = {"nonzero_coordinates.order"};
    if (i % 4 != 0) entry.verdict = Verdict::Flaky;
  }
  report.clusters = findClusters(report);
  ASSERT_EQ(report.clusters.size(), 1u);
  EXPECT_EQ(report.clusters[0].rule.id, "nonzero_coordinates.order");
  EXPECT_THAT(headlineOf(report.clusters[0]), HasSubstr(" input elements or more"));
  EXPECT_THAT(headlineOf(report.clusters[0]), EndsWith(" of which passed when repeated"));
}

// Each of its cases alone could be told from the passing ones, but only by contrived queries.
TEST(Clusters, AFaultThatFewCasesShowIsOneCause) {
  Report report = runOf("nonzero_coordinates elements>=256");
  std::vector<size_t> failing;
  for (size_t i = 0; i < report.failures.size(); ++i) {
    JournalEntry& entry = report.cases[report.failures[i]];
    if (i % 5 == 0) {
      entry.violated = {"nonzero_coordinates.order"};
      failing.push_back(report.failures[i]);
    } else {
      entry.verdict = Verdict::Pass;
    }
  }
  report.failures = failing;
  report.clusters = findClusters(report);
  ASSERT_EQ(report.clusters.size(), 1u);
  EXPECT_EQ(report.clusters[0].cases, failing);
  EXPECT_THAT(headlineOf(report.clusters[0]), HasSubstr(" input elements or more"));
  EXPECT_GT(report.clusters[0].passing, 0u);
}

// The outputs of one are too large to tell which rule is broken.
TEST(Clusters, AFaultThatFewCasesShowHasThoseWithoutARule) {
  Report report = runOf("nonzero_coordinates elements>=256");
  std::vector<size_t> failing;
  for (size_t i = 0; i < report.failures.size(); ++i) {
    JournalEntry& entry = report.cases[report.failures[i]];
    if (i % 5 == 0) {
      entry.kinds = {{std::string(kind::kWrongElements), 2}};
      entry.violated = {"nonzero_coordinates.order"};
      failing.push_back(report.failures[i]);
    } else {
      entry.verdict = Verdict::Pass;
    }
  }
  report.cases[failing.back()].violated.clear();
  report.failures = failing;
  report.clusters = findClusters(report);
  ASSERT_EQ(report.clusters.size(), 1u);
  EXPECT_EQ(report.clusters[0].cases, failing);
  EXPECT_EQ(report.clusters[0].rule.id, "nonzero_coordinates.order");
  report.cases[failing.back()].kinds = {{std::string(kind::kGuardBytes), 2}};
  EXPECT_EQ(findClusters(report).size(), 2u) << "another kind of failure";
}

// A message says what went wrong, whatever the parameters of the cases.
TEST(Clusters, EqualMessagesAreOneCause) {
  const auto of = [](const char* failing) {
    Report report = runOf(failing);
    for (size_t index : report.failures) {
      JournalEntry& entry = report.cases[index];
      entry.kinds = {{std::string(kind::kRejected), 1}};
      entry.message = "rejected a valid descriptor with 0x8007000e: CreateDescriptorHeap";
    }
    report.clusters = findClusters(report);
    EXPECT_EQ(report.clusters.size(), 1u);
    return headlineOf(report.clusters.at(0));
  };
  EXPECT_THAT(of("family=matrix seed=*1"),
              EndsWith(": rejected a valid descriptor with 0x8007000e: CreateDescriptorHeap"));
  EXPECT_THAT(of("gather_nd has=negative-index"),
              EndsWith(" with a negative index (gather_nd has=negative-index)"));
}

TEST(Clusters, SayWhenAFailureDependsOnTheProcess) {
  const auto of = [](const When& when) {
    Report report = runOf("family=matrix");
    for (size_t index : report.failures) {
      report.cases[index].kinds = {{std::string(kind::kWrongElements), 1}};
    }
    std::set<std::string> kinds;
    for (size_t index : report.failures) {
      const JournalEntry& entry = report.cases[index];
      if (!kinds.insert(failureKind(entry)).second) continue;
      report.investigations.push_back({entry.caseString, failureKind(entry), when});
    }
    report.clusters = findClusters(report);
    EXPECT_GT(kinds.size(), 1u);
    EXPECT_EQ(report.clusters.size(), 1u);
    EXPECT_EQ(report.clusters.at(0).cases, report.failures);
    EXPECT_THAT(faultsOf(report), StartsWith("1 fault, "));
    return headlineOf(report.clusters.at(0));
  };
  EXPECT_THAT(of({.occurs = Occurs::AfterRequests, .requests = 1999, .after = ""}),
              EndsWith(" Fail: a new worker passes this case; it fails from about the 2,000th "
                       "request of a process on"));
  EXPECT_THAT(of({.occurs = Occurs::AfterCase, .after = "CASE"}),
              EndsWith(" Fail: a new worker passes this case; it fails after \"CASE\" in one "
                       "process"));
  EXPECT_THAT(of({.occurs = Occurs::BesideWorkers, .after = "", .workers = 2}),
              EndsWith(" Fail: 2 workers ran at once; with no other worker running, this case "
                       "passes"));
}

TEST(Clusters, WhatProvesNothingIsNoEvidence) {
  // All other cases are inconclusive: they might fail or not.
  for (Verdict verdict : {Verdict::Vacuous, Verdict::NotSupported, Verdict::Waived}) {
    Report report = runOf("gather_nd", verdict);
    EXPECT_THAT(report.clusters, IsEmpty());
    for (JournalEntry& entry : report.cases) {
      if (entry.verdict == Verdict::Pass) entry.verdict = Verdict::NotAsked;
    }
    report.cases[0].verdict = Verdict::Fail;
    report.failures = {0};
    report.clusters = findClusters(report);
    ASSERT_EQ(report.clusters.size(), 1u);
    EXPECT_EQ(report.clusters[0].query, "*");
    EXPECT_EQ(headlineOf(report.clusters[0]), "1 Fail: every case with a clear verdict");
    report.caseCount = 1;
    report.clusters = findClusters(report);
    EXPECT_EQ(headlineOf(report.clusters[0]), "1 Fail: every case of the run");
  }
}

}  // namespace
}  // namespace dmlcts

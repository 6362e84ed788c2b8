#include "reports/compare/matrix.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "conformance/test/test_folder.h"
#include "reports/render/writers.h"
#include "reports/test/sample_journals.h"
#include "reports/text/escape.h"

// Comparisons of several runs.

namespace dmlcts {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

JournalEntry entry(const std::string& caseString, Verdict verdict, double seconds = 0.001) {
  return executed(caseString, verdict, seconds);
}

Report reportOf(std::vector<JournalEntry> entries) {
  return summarize(std::vector{journalOf(std::move(entries))});
}

TEST(Diff, SaysWhatElseDiffersBetweenTheRuns) {
  const Report before = reportOf({entry("a", Verdict::Pass)});
  EXPECT_THAT(compareReports(before, before).warnings(), IsEmpty());
  const auto textOf = [&](auto change) {
    Report after = before;
    change(after);
    return diffText(compareReports(before, after));
  };
  EXPECT_THAT(textOf([](Report& after) { after.run.target = "directml"; }),
              HasSubstr("\nwarning: the runs are of different targets, d3d12 and directml"));
  EXPECT_THAT(textOf([](Report& after) { after.run.strict = true; }),
              HasSubstr("\nwarning: the runs were judged strictly in one only"));
  EXPECT_THAT(textOf([](Report& after) { after.filters = {"gather_nd"}; }),
              HasSubstr("(none)  ->  gather_nd"));
}

// Only f16 broke: f32 failed before, u32 is only in the second run.
TEST(Diff, ClustersWhatBroke) {
  std::vector<JournalEntry> before, after;
  for (const char* type : {"f16", "f32", "i32", "u32"}) {
    for (int size = 1; size <= 4; ++size) {
      JournalEntry made = entry(
          fmt::format("nonzero_coordinates level=4.0 input={}:{} coords={}x1", type, size, size),
          Verdict::Pass);
      made.op = "nonzero_coordinates";
      made.type = type;
      if (made.type == "f32") made.verdict = Verdict::Fail;
      if (made.type != "u32") before.push_back(made);
      if (made.type != "i32") made.verdict = Verdict::Fail;
      after.push_back(made);
    }
  }
  const Report first = reportOf(before);
  const Report second = reportOf(after);
  const Diff diff = compareReports(first, second);
  ASSERT_EQ(diff.count(RunChange::Broken), 4u);
  ASSERT_EQ(diff.clusters.size(), 1u);
  EXPECT_EQ(diff.clusters[0].cases.size(), 4u);
  EXPECT_EQ(diff.clusters[0].query, "input=f*");
  EXPECT_EQ(second.cases[diff.clusters[0].shortest].caseString,
            "nonzero_coordinates level=4.0 input=f16:1 coords=1x1");
  EXPECT_THAT(diffText(diff), HasSubstr("\n  4 Fail: every case with input=f*\n"));
  EXPECT_EQ(toDocument(diff, 10)["clusters"].size(), 1u);
  EXPECT_THAT(compareReports(second, second).clusters, IsEmpty());
}

TEST(Diff, EveryKindOfChange) {
  const Report before = reportOf({entry("broken", Verdict::Pass), entry("weak", Verdict::Pass),
                                  entry("still", Verdict::Fail), entry("fixed", Verdict::Crash),
                                  entry("other", Verdict::NotSupported),
                                  entry("gone", Verdict::Fail), entry("same", Verdict::Pass)});
  const Report after = reportOf({entry("broken", Verdict::Timeout), entry("weak", Verdict::Vacuous),
                                 entry("still", Verdict::Crash), entry("fixed", Verdict::Pass),
                                 entry("other", Verdict::Pass), entry("new", Verdict::Fail),
                                 entry("same", Verdict::Pass)});
  const Diff diff = compareReports(before, after);
  std::vector<std::pair<std::string, std::string>> found;
  for (const CaseChange& each : diff.changes) {
    found.emplace_back(name(each.change), each.entry().caseString);
  }
  using P = std::pair<std::string, std::string>;
  EXPECT_THAT(found,
              ElementsAre(P{"broken", "broken"}, P{"weakened", "weak"}, P{"stillFailing", "still"},
                          P{"fixed", "fixed"}, P{"otherwise", "other"}, P{"newlyCovered", "new"},
                          P{"noLongerRun", "gone"}));
  EXPECT_EQ(diff.unchanged, 1u);
  EXPECT_TRUE(diff.regression());
  EXPECT_FALSE(compareReports(after, after).regression());
  EXPECT_FALSE(compareReports(reportOf({}), after).regression());
}

TEST(Diff, WhatIsARegression) {
  using enum Verdict;
  const auto change = [](Verdict before, Verdict after) -> std::string_view {
    const Diff diff = compareReports(reportOf({entry("a", before)}), reportOf({entry("a", after)}));
    return diff.changes.empty() ? "" : name(diff.changes[0].change);
  };
  EXPECT_EQ(change(Pass, Flaky), "broken");
  EXPECT_EQ(change(Flaky, Crash), "stillFailing");
  EXPECT_EQ(change(Flaky, Pass), "fixed");
  EXPECT_EQ(change(Pass, NotAsked), "weakened");
  EXPECT_EQ(change(Waived, NotSupported), "weakened") << "which fails the run now";
  EXPECT_EQ(change(NotAsked, NotSupported), "weakened");
  EXPECT_EQ(change(NotAsked, Waived), "otherwise");
  EXPECT_EQ(change(Pass, Arguable), "weakened");
  EXPECT_EQ(change(Waived, Arguable), "otherwise");
  EXPECT_EQ(change(Fail, Arguable), "otherwise");
  EXPECT_EQ(change(Arguable, Fail), "broken");
  EXPECT_EQ(change(NotAsked, NotAsked), "");
  EXPECT_EQ(change(Pass, Skipped), "weakened");
  for (Verdict unproved : {NotSupported, NotAsked, Skipped, Vacuous, Waived, InternalError}) {
    EXPECT_EQ(change(Fail, unproved), "otherwise") << name(unproved) << " repairs nothing";
  }
}

TEST(Diff, WorkerFailuresThatAreNewAreARegression) {
  Report before = reportOf({entry("a", Verdict::Pass)});
  Report after = before;
  after.workerFailures = {{"at exit", Verdict::Crash, "", ""}};
  EXPECT_TRUE(compareReports(before, after).regression());
  EXPECT_THAT(diffText(compareReports(before, after)), HasSubstr("1 worker failure, none before"));
  EXPECT_FALSE(compareReports(after, after).regression());
  EXPECT_FALSE(compareReports(after, before).regression());
}

// A run of a tier that has just these cases, unless a level pattern chose them: its levels conform
// where all pass.
Report tierRun(std::vector<JournalEntry> entries, const std::string& tier = "default",
               const std::string& level = "") {
  JournalHeader header;
  header.tier = tier;
  header.maxLevel = "6.4";
  header.levelFilter = level;
  header.planHash = "plan of " + tier;
  return summarize(std::vector{journalOf(std::move(entries), header)});
}

std::vector<JournalEntry> fourCases() {
  std::vector<JournalEntry> entries;
  for (const std::string level : {"4.0", "4.1"}) {
    for (const std::string seed : {"1", "2"}) {
      entries.push_back(entry("gather_nd level=" + level + " seed=" + seed, Verdict::Pass));
      entries.back().level = level;
    }
  }
  return entries;
}

TEST(Diff, ALevelThatIsNoLongerShownToConformIsARegression) {
  const Report whole = tierRun(fourCases());
  EXPECT_EQ(compareReports(whole, whole).exitStatus(), 0);
  EXPECT_THAT(diffText(compareReports(whole, whole)), testing::StartsWith("No regression.\n"));

  const auto cases = fourCases();
  const Report filtered = tierRun({cases[0], cases[1]}, "default", "4.0");
  const Diff diff = compareReports(whole, filtered);
  EXPECT_TRUE(diff.regression());
  EXPECT_EQ(diff.exitStatus(), 1);
  ASSERT_EQ(diff.lostLevels.size(), 2u);
  EXPECT_EQ(diff.lostLevels[0].why, "filtered");
  EXPECT_EQ(diff.lostLevels[1].from, "4.1");
  EXPECT_EQ(diff.lostLevels[1].why, "not run");
  EXPECT_THAT(diffText(diff), HasSubstr("\nno longer shown to conform:\n  gather_nd 4.0: filtered\n"
                                        "  gather_nd 4.1: not run\n"));
  EXPECT_THAT(diffText(diff), Not(HasSubstr("No regression")));
  EXPECT_EQ(toDocument(diff, 10)["lostLevels"][0]["operator"], "gather_nd");
  // The other way round nothing gets worse.
  EXPECT_EQ(compareReports(filtered, whole).exitStatus(), 0);
  EXPECT_THAT(diffText(compareReports(filtered, whole)),
              testing::StartsWith("No regression in the 2 cases that both runs have.\n"));
}

TEST(Diff, ASmallerTierShowsLess) {
  const auto all = fourCases();
  const Report large = tierRun(all);
  const Report small = tierRun({all[0], all[2]}, "smoke");
  const Diff diff = compareReports(large, small);
  EXPECT_EQ(diff.exitStatus(), 1);
  ASSERT_EQ(diff.lostLevels.size(), 1u);
  EXPECT_EQ(diff.lostLevels[0].through, "4.1");
  EXPECT_EQ(diff.lostLevels[0].why, "shown on the smoke tier alone, not on the default tier");
  EXPECT_EQ(compareReports(small, large).exitStatus(), 0);
}

TEST(Diff, NothingIsShownByRunsThatShareNoCase) {
  const Report one = reportOf({entry("a", Verdict::Pass)});
  for (const Report& other : {reportOf({entry("b", Verdict::Pass)}), reportOf({})}) {
    const Diff diff = compareReports(one, other);
    EXPECT_EQ(diff.exitStatus(), 3);
    EXPECT_THAT(diffText(diff), testing::StartsWith("Nothing is shown: the runs share no case.\n"));
    EXPECT_EQ(toDocument(diff, 10)["exitStatus"], 3);
  }
}

TEST(Diff, NothingIsShownByARunThatEndedEarlyOrThatTheHarnessFailed) {
  const Report before = reportOf({entry("a", Verdict::Pass), entry("b", Verdict::NotAsked)});
  Journal cut;
  cut.headers.emplace_back().plannedCases = 2;
  cut.headers[0].target = "d3d12";
  cut.entries = {entry("a", Verdict::Pass)};
  cut.headerOf = {0};
  Report after = summarize({&cut, 1});
  Diff diff = compareReports(before, after);
  EXPECT_EQ(diff.exitStatus(), 1);
  EXPECT_THAT(diffText(diff), HasSubstr("the later run ended before its last case"));
  EXPECT_THAT(diffText(diff), Not(HasSubstr("No regression")));
  cut.entries.push_back(entry("b", Verdict::InternalError));
  cut.headerOf = {0, 0};
  after = summarize({&cut, 1});
  diff = compareReports(before, after);
  EXPECT_EQ(diff.exitStatus(), 3);
  EXPECT_THAT(diffText(diff), HasSubstr("the harness failed in 1 case of the later run"));
  EXPECT_THAT(diffText(diff), Not(HasSubstr("No regression")));
}

TEST(Diff, HostileStringsStayPlain) {
  const auto journals = sampleJournals(500);
  const Report report = summarize(journals);
  const Report nothing = reportOf({});
  const Diff diff = compareReports(nothing, report);
  for (const char c : diffText(diff)) EXPECT_TRUE(c == '\n' || static_cast<uint8_t>(c) >= ' ');
  std::ostringstream page;
  writeDiffHtml(page, diff);
  EXPECT_THAT(page.str(), Not(HasSubstr("<img")));
}

TEST(Waivers, AreCountedByReason) {
  auto first = entry("gather_nd level=4.0 input=f32:4 indices=u32:1 output=1", Verdict::Waived);
  first.message = "accepts; whatever; Fail: was accepted";
  first.rules = {"gather_nd.rank"};
  auto second = first;
  second.caseString += " seed=1";
  second.message = "accepts; whatever; Fail: otherwise";
  auto third = first;
  third.caseString += " seed=2";
  third.message = "hangs; Timeout: 30 s";
  const Report report = reportOf({first, second, third});
  ASSERT_EQ(report.waivers.size(), 2u);
  EXPECT_EQ(report.waivers[0].reason, "accepts; whatever");
  EXPECT_EQ(report.waivers[0].cases, 2u);
  EXPECT_EQ(report.waivers[1].reason, "hangs");
  const auto row = std::ranges::find(report.compliance, uint64_t{3},
                                     [](const ComplianceRow& each) { return each.totals.all(); });
  ASSERT_NE(row, report.compliance.end());
  ASSERT_EQ(row->failedRules.size(), 1u);
  EXPECT_EQ(row->failedRules[0].waived, 3u);
  EXPECT_EQ(row->failedRules[0].failed, 0u);
}

TEST(NotRun, SaysWhatTheTargetLacks) {
  auto unsupported = entry("a", Verdict::NotSupported);
  unsupported.message = "no 64-bit integers";
  const Report report = reportOf({unsupported, entry("b", Verdict::Pass)});
  const auto found = std::ranges::find(report.notRun, "no 64-bit integers", &NotRun::why);
  ASSERT_NE(found, report.notRun.end());
  EXPECT_EQ(found->cases, 1u);
}

ReportDocument seriesOf(const std::vector<Journal>& journals) {
  const auto runs = readSeries(journals.size(), [&](size_t i) { return journals[i]; });
  return toDocument(makeMatrix(runs));
}

TEST(Series, SaysWhatFailsARunAndWhatFilteredIt) {
  Journal journal = journalOf({entry("a", Verdict::Pass)});
  const auto exitStatusOf = [&] {
    return seriesOf({journal})["configurations"][0]["exitStatus"].get<int>();
  };
  EXPECT_EQ(exitStatusOf(), 0);
  journal.entries[0].verdict = Verdict::NotSupported;
  EXPECT_EQ(exitStatusOf(), 1);
  journal.entries[0].verdict = Verdict::Pass;
  journal.workerFailures = {{"at exit", Verdict::Crash, "", ""}};
  journal.headers[0].levelFilter = "4.*";
  EXPECT_EQ(exitStatusOf(), 1);
  EXPECT_THAT(matrixText(seriesOf({journal})), HasSubstr("; 1 worker failure;"));
}

// A night that another suite ran shows changes that need not be the driver's.
TEST(Series, AndDiffsWarnOfOtherSuites) {
  std::vector<Journal> nights;
  for (const auto& [suite, plan] : {std::pair{"0.2.0", "a"}, {"0.2.1", "a"}, {"0.2.1", "b"}}) {
    JournalHeader header;
    header.startedAt = fmt::format("2026-01-0{}T00:00:00Z", nights.size() + 1);
    header.suiteVersion = suite;
    header.planHash = plan;
    nights.push_back(journalOf({entry("a", Verdict::Pass)}, header));
  }
  const ReportDocument series = seriesOf(nights);
  const std::string other =
      "the suites differ, 0.2.0 and 0.2.1: a change need not be one of the target";
  EXPECT_THAT(series["warnings"].get<std::vector<std::string>>(),
              ElementsAre("2026-01-01T00:00:00Z and 2026-01-02T00:00:00Z: " + other,
                          "2026-01-02T00:00:00Z and 2026-01-03T00:00:00Z: the runs planned "
                          "different cases"));
  EXPECT_THAT(matrixText(series), HasSubstr("\nwarning: 2026-01-01T00:00:00Z and "));
  const auto warnings = [&](size_t before, size_t after) {
    return compareReports(summarize({&nights[before], 1}), summarize({&nights[after], 1}))
        .warnings();
  };
  EXPECT_THAT(warnings(0, 1), ElementsAre(other));
  EXPECT_THAT(warnings(1, 2), ElementsAre("the runs planned different cases"));
}

TEST(Series, SortedByStart) {
  std::vector<Journal> journals(2);
  for (int i : {0, 1}) {
    JournalHeader header;
    header.startedAt = i == 0 ? "2026-01-02T00:00:00Z" : "2026-01-01T00:00:00Z";
    journals[i] = journalOf({entry("a", i == 0 ? Verdict::Fail : Verdict::Pass)}, header);
  }
  const ReportDocument series = seriesOf(journals);
  ASSERT_EQ(series["configurations"].size(), 2u);
  EXPECT_FALSE(series["configurations"][0]["totals"].contains("Fail"));
  EXPECT_EQ(series["configurations"][1]["totals"]["Fail"], 1);
  EXPECT_TRUE(series["neighbours"].empty());
  EXPECT_THAT(matrixText(series), HasSubstr("Z: 1 case: 1 Pass; 1000 cases/s; "));
}

}  // namespace
}  // namespace dmlcts

#include "reports/compare/comparison.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "reports/compare/version.h"
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

// Compares "a", "b", …
RunComparison compare(std::vector<Report> reports, RunOrder order = RunOrder::AsGiven) {
  return compareRuns(
      reports.size(),
      [&](size_t i) { return ComparedRun{std::string(1, static_cast<char>('a' + i)), reports[i]}; },
      order);
}

RunComparison compareReports(const Report& before, const Report& after) {
  return compare({before, after});
}

std::string diffText(const RunComparison& comparison) { return comparisonText(comparison); }

std::string markdownOf(const RunComparison& comparison) {
  std::ostringstream out;
  writeComparisonMarkdown(out, comparison);
  return out.str();
}

TEST(Diff, SaysWhatElseDiffersBetweenTheRuns) {
  const Report before = reportOf({entry("a", Verdict::Pass)});
  EXPECT_THAT(compareReports(before, before).warnings, IsEmpty());
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
  const RunComparison diff = compareReports(first, second);
  ASSERT_EQ(diff.count(RunChange::Broken), 4u);
  ASSERT_EQ(diff.clusters.size(), 1u);
  EXPECT_EQ(diff.clusters[0].cases.size(), 4u);
  EXPECT_EQ(diff.clusters[0].query, "input=f*");
  EXPECT_EQ(diff.last().cases[diff.clusters[0].shortest].caseString,
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
  const RunComparison diff = compareReports(before, after);
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
    const RunComparison diff =
        compareReports(reportOf({entry("a", before)}), reportOf({entry("a", after)}));
    return diff.changes.empty() ? "" : name(diff.changes[0].change);
  };
  EXPECT_EQ(change(Pass, Flaky), "byChance");
  EXPECT_EQ(change(Flaky, Crash), "stillFailing");
  EXPECT_EQ(change(Flaky, Pass), "byChance");
  EXPECT_EQ(change(Flaky, NotSupported), "otherwise");
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
  const RunComparison diff = compareReports(whole, filtered);
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
  const RunComparison diff = compareReports(large, small);
  EXPECT_EQ(diff.exitStatus(), 1);
  ASSERT_EQ(diff.lostLevels.size(), 1u);
  EXPECT_EQ(diff.lostLevels[0].through, "4.1");
  EXPECT_EQ(diff.lostLevels[0].why, "shown on the smoke tier alone, not on the default tier");
  EXPECT_EQ(compareReports(small, large).exitStatus(), 0);
}

TEST(Diff, NothingIsShownByRunsThatShareNoCase) {
  const Report one = reportOf({entry("a", Verdict::Pass)});
  for (const Report& other : {reportOf({entry("b", Verdict::Pass)}), reportOf({})}) {
    const RunComparison diff = compareReports(one, other);
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
  RunComparison diff = compareReports(before, after);
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
  const RunComparison diff = compareReports(nothing, report);
  for (const char c : diffText(diff)) EXPECT_TRUE(c == '\n' || static_cast<uint8_t>(c) >= ' ');
  std::ostringstream page;
  writeComparisonHtml(page, diff);
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

// Neither run shows that a Flaky case got worse or better; but it fails the run that has it.
TEST(Diff, RunsWithAFlakyCaseDifferByChance) {
  const Report passes = reportOf({entry("a", Verdict::Pass), entry("b", Verdict::Pass)});
  const Report flaky = reportOf({entry("a", Verdict::Flaky), entry("b", Verdict::Pass)});
  const RunComparison worse = compareReports(passes, flaky);
  EXPECT_THAT(diffText(worse),
              testing::StartsWith("1 case differs by chance (Flaky in either run).\n"));
  EXPECT_THAT(diffText(worse), HasSubstr("\ndifferent by chance (1):\n  Pass -> Flaky: a\n"));
  EXPECT_THAT(diffText(worse), Not(HasSubstr("broken")));
  EXPECT_THAT(worse.clusters, IsEmpty());
  EXPECT_EQ(worse.exitStatus(), 1);
  const RunComparison better = compareReports(flaky, passes);
  EXPECT_THAT(
      diffText(better),
      testing::StartsWith("No regression; 1 case differs by chance (Flaky in either run)."));
  EXPECT_EQ(better.exitStatus(), 0);
}

// Several runs -------------------------------------------------------------------------------

constexpr const char* kRule = "gather_nd.negative-indices";

// A run of a target's version whose cases have these verdicts.
struct TestedRun {
  std::string version = "1.0";
  std::vector<Verdict> verdicts = {Verdict::Pass, Verdict::Pass};
  std::string startedAt = {};
  uint64_t missing = 0;  // planned cases without a verdict
  std::string specification{kSpecificationEdition};
  std::vector<std::string> queries = {};
  std::string target = "directml";
};

Report reportOf(const TestedRun& run) {
  JournalHeader header;
  header.target = run.target;
  header.implementation = run.version;
  header.adapter = "A";
  header.startedAt = run.startedAt;
  header.specification = run.specification;
  header.tier = "smoke";
  header.queries = run.queries;
  header.plannedCases = run.verdicts.size() + run.missing;
  header.tierCases = {{"gather_nd 4.0", header.plannedCases}};
  std::vector<JournalEntry> entries;
  for (Verdict verdict : run.verdicts) {
    entries.push_back(entry(fmt::format("gather_nd level=4.0 input=f32:{}x2 indices=i32:1x1 "
                                        "output=1x2",
                                        entries.size() + 2),
                            verdict, 0.5));
    entries.back().rules = {kRule};
    if (verdict != Verdict::Pass) entries.back().violated = {kRule};
    if (isFailure(verdict)) entries.back().kinds = {{"wrong-elements", 1}};
  }
  return summarize(std::vector{journalOf(std::move(entries), header)});
}

const ComparedLevels& level4(const RunComparison& comparison) {
  const auto found = std::ranges::find_if(comparison.levels, [](const ComparedLevels& each) {
    return each.op == "gather_nd" && each.from == "4.0";
  });
  if (found == comparison.levels.end()) throw std::logic_error("no such levels");
  return *found;
}

TEST(Runs, ALevelConformsOnlyWhereNothingIsInDoubt) {
  const TestedRun whole;
  TestedRun cut = whole, old = whole, filtered = whole, stopped = whole;
  cut.missing = 1;
  old.specification = "2021";
  filtered.queries = {"gather_nd"};
  stopped.verdicts = {Verdict::Pass, Verdict::InternalError};
  const RunComparison comparison = compare(
      {reportOf(whole), reportOf(cut), reportOf(old), reportOf(filtered), reportOf(stopped)});
  const auto& cells = level4(comparison).cells;
  EXPECT_EQ(cells[0].status, Compliance::Conforms);
  EXPECT_EQ(comparison.runs[0].doubt, "");
  for (size_t run = 1; run < cells.size(); ++run) {
    EXPECT_NE(cells[run].status, Compliance::Conforms) << run;
    EXPECT_THAT(cells[run].statement, Not(HasSubstr("conforms"))) << run;
  }
  EXPECT_EQ(comparison.runs[1].doubt, "incomplete: 1 of 3 planned cases without a verdict");
  EXPECT_EQ(comparison.runs[2].doubt,
            "judged by specification edition 2021, not " + std::string(kSpecificationEdition));
}

// One of a run's two shards, with one case.
Journal shardOf(uint32_t index) {
  JournalHeader header;
  header.target = "directml";
  header.specification = kSpecificationEdition;
  header.tier = "smoke";
  header.shardIndex = index;
  header.shardCount = 2;
  header.tierCases = {{"gather_nd 4.0", 2}};
  Journal journal =
      journalOf({entry(fmt::format("gather_nd level=4.0 seed={}", index), Verdict::Pass)}, header);
  journal.name = "shard" + std::to_string(index);
  return journal;
}

TEST(Runs, SayWhatIsWrongWithTheirJournals) {
  const std::vector<Journal> whole{shardOf(0), shardOf(1)};
  const auto doubt = [](std::vector<Journal> journals) { return whyUnproven(summarize(journals)); };
  EXPECT_EQ(doubt(whole), "");
  EXPECT_EQ(doubt({whole[1]}), "incomplete: Shard 1 of 2 without a journal");
  std::vector<Journal> thousands{shardOf(1)};
  thousands[0].headers[0].shardCount = 2000;
  EXPECT_EQ(doubt(thousands), "incomplete: Shard 1 of 2000 without a journal");

  std::vector<Journal> disagree = whole;
  disagree[1].headers[0].adapter = "B";
  disagree[1].headers[0].driver = "2";
  EXPECT_EQ(doubt(disagree), "the journals disagree on adapter, driver");

  std::vector<Journal> cut = whole;
  cut[1].cutLine = "{";
  EXPECT_EQ(doubt(cut), "shard1 is cut in its last line");

  std::vector<Journal> twice = whole;
  twice[1].entries.push_back(twice[0].entries[0]);
  twice[1].entries.back().verdict = Verdict::Fail;
  twice[1].headerOf.push_back(0);
  EXPECT_EQ(doubt(twice), "1 case with two verdicts, the first: " + twice[0].entries[0].caseString);

  std::vector<Journal> more = whole;
  more[1].headers[0].plannedCases = 0;
  EXPECT_EQ(doubt(more), "incomplete: the journals are not one whole run");
  more[1].headers[0].plannedCases = 5;
  EXPECT_EQ(doubt(more), "incomplete: 4 of 6 planned cases without a verdict");
}

std::vector<std::pair<uint64_t, uint64_t>> countsOf(const ComparedCause& cause) {
  std::vector<std::pair<uint64_t, uint64_t>> counts;
  for (const auto& [found, of] : cause.cells) counts.emplace_back(found, of);
  return counts;
}

using Counts = std::vector<std::pair<uint64_t, uint64_t>>;

TEST(Runs, ACauseIsCountedInEachRunOfItsTarget) {
  using enum Verdict;
  const RunComparison comparison =
      compare({reportOf({.version = "1", .verdicts = {Pass, Fail, Fail}}),
               reportOf({.version = "2", .verdicts = {Fail, Crash, Pass}}),
               reportOf({.version = "3", .verdicts = {Pass, Pass}}),
               reportOf({.verdicts = {Fail}, .target = "d3d12"})});
  ASSERT_EQ(comparison.causes.size(), 2u);
  EXPECT_EQ(comparison.causes[0].target, "d3d12");
  EXPECT_EQ(countsOf(comparison.causes[0]), (Counts{{0, 0}, {0, 0}, {0, 0}, {1, 1}}));
  EXPECT_EQ(comparison.causes[1].target, "directml");
  EXPECT_EQ(comparison.causes[1].rule.id, kRule);
  EXPECT_TRUE(comparison.causes[1].rule.broken);
  EXPECT_EQ(countsOf(comparison.causes[1]), (Counts{{2, 3}, {2, 3}, {0, 2}, {0, 0}}));
  EXPECT_THAT(diffText(comparison), HasSubstr("\n    a 2 of 3; b 2 of 3; c 0 of 2\n"));
  EXPECT_THAT(markdownOf(comparison), HasSubstr("| `a` 2 of 3; `b` 2 of 3; `c` 0 of 2 |"));
}

// The second run has other cases, as a larger tier would: the query must stay the same.
TEST(Runs, CasesThatNoFailingRunHadAreNoCounterexamples) {
  const std::vector<Verdict> some{Verdict::Fail, Verdict::Fail, Verdict::Pass, Verdict::Pass};
  const Report fails = reportOf({.version = "1", .verdicts = some});
  Report conforms = reportOf(TestedRun{"2"});
  const RunComparison same = compare({fails, conforms});
  ASSERT_EQ(same.causes.size(), 1u);
  EXPECT_NE(same.causes[0].query, "");
  for (JournalEntry& each : conforms.cases) each.caseString += " seed=9";
  EXPECT_EQ(compare({fails, conforms}).causes.at(0).query, same.causes[0].query);
}

TEST(Runs, ARuleThatIsNotKeptIsACauseThoughNoCaseFails) {
  const Report arguable = reportOf({.verdicts = {Verdict::Arguable, Verdict::Pass}});
  const RunComparison comparison = compare({arguable, reportOf(TestedRun{"2"}), arguable});
  ASSERT_EQ(comparison.causes.size(), 1u);
  EXPECT_EQ(comparison.causes[0].rule.id, kRule);
  EXPECT_THAT(comparison.causes[0].headline, HasSubstr("which a vendor could argue about"));
  EXPECT_EQ(countsOf(comparison.causes[0]), (Counts{{1, 2}, {0, 2}, {1, 2}}));
}

TEST(Runs, AreInOrderOfTheirStart) {
  const Report first = reportOf({.startedAt = "2026-01-01T00:00:00Z"});
  const Report second = reportOf({.startedAt = "2026-01-02T00:00:00Z"});
  const Report third =
      reportOf({.verdicts = {Verdict::Fail, Verdict::Pass}, .startedAt = "2026-01-03T00:00:00Z"});
  const auto namesOf = [](const RunComparison& comparison) {
    std::string names;
    for (const ComparedRun& run : comparison.runs) names += run.name;
    return names;
  };
  const RunComparison sorted = compare({second, third, first, second}, RunOrder::ByStart);
  EXPECT_EQ(namesOf(sorted), "cadb");
  EXPECT_EQ(sorted.exitStatus(), 1);
  const RunComparison given = compare({second, third, first, second});
  EXPECT_EQ(namesOf(given), "abcd");
  EXPECT_EQ(given.exitStatus(), 0);
}

TEST(Runs, TheLastAgainstTheFirstDecides) {
  using enum Verdict;
  const RunComparison comparison = compare({reportOf({.verdicts = {Pass, Fail, Pass, Pass}}),
                                            reportOf({.verdicts = {Fail, Pass, Fail}}),
                                            reportOf({.verdicts = {Fail, Fail, Pass, Pass}})});
  EXPECT_EQ(comparison.exitStatus(), 1);
  EXPECT_EQ(comparison.count(RunChange::Broken), 1u);
  EXPECT_EQ(comparison.count(RunChange::InBetween), 1u);
  EXPECT_EQ(comparison.unchanged, 1u);
  const std::string text = diffText(comparison);
  EXPECT_THAT(text, testing::StartsWith("a to c: 1 case broken.\n"));
  EXPECT_THAT(text, HasSubstr("\n  Pass -> Fail since b: gather_nd level=4.0 input=f32:2x2"));
  EXPECT_THAT(text, HasSubstr("\nchanged in between (1):\n  Pass -> Fail since b -> Pass since c: "
                              "gather_nd level=4.0 input=f32:4x2"));
  EXPECT_THAT(text, HasSubstr("\n  Fail -> Pass since b -> Fail since c: "));
  const ReportDocument json = toDocument(comparison, 10);
  EXPECT_EQ(json["runs"].size(), 3u);
  EXPECT_EQ(json["changes"]["inBetween"][0]["verdicts"],
            ReportDocument::parse(R"(["Pass","Fail","Pass"])"));
  EXPECT_THAT(text, HasSubstr("\n  gather_nd 4.0\n    broken: a 3 of 4, b 1 of 3, c 2 of 4\n"));
  // Two runs keep today's text: no run has a name in it.
  EXPECT_THAT(diffText(compare({reportOf(TestedRun{"1"}), reportOf(TestedRun{"2"})})),
              Not(HasSubstr("runs:")));
}

TEST(Runs, ThatShareNoCaseHaveStatus3) {
  const Report one = reportOf({entry("a", Verdict::Pass)});
  const Report other = reportOf({entry("b", Verdict::Pass)});
  EXPECT_EQ(compare({one, one, other}).exitStatus(), 3);
  EXPECT_EQ(compare({one, other, one}).exitStatus(), 0);
}

TEST(Runs, SayWhatFailedThemAndWhatFilteredThem) {
  Journal journal = journalOf({entry("a", Verdict::Pass)});
  const auto run = [&] { return toDocument(compare({summarize({&journal, 1})}), 10)["runs"][0]; };
  EXPECT_EQ(run()["exitStatus"], 0);
  EXPECT_FALSE(run()["filtered"]);
  journal.entries[0].verdict = Verdict::NotSupported;
  EXPECT_EQ(run()["exitStatus"], 1);
  journal.entries[0].verdict = Verdict::Pass;
  journal.workerFailures = {{"at exit", Verdict::Crash, "", ""}};
  journal.headers[0].levelFilter = "4.*";
  EXPECT_EQ(run()["exitStatus"], 1);
  EXPECT_TRUE(run()["filtered"]);
  EXPECT_EQ(run()["doubt"], "1 worker failure");
  const std::string text = diffText(compare({summarize({&journal, 1})}));
  EXPECT_THAT(text, testing::StartsWith("One run: there is none to compare it with.\n"));
  EXPECT_THAT(text, HasSubstr("\n  a: 1 case: 1 Pass, 1 worker failure; 1000 cases/s; "));
}

// A night that another suite ran shows changes that need not be the driver's.
TEST(Runs, WarnOfOtherSuites) {
  std::vector<Report> nights;
  for (const auto& [suite, plan] : {std::pair{"0.2.0", "a"}, {"0.2.1", "a"}, {"0.2.1", "b"}}) {
    JournalHeader header;
    header.startedAt = fmt::format("2026-01-0{}T00:00:00Z", nights.size() + 1);
    header.suiteVersion = suite;
    header.planHash = plan;
    nights.push_back(summarize(std::vector{journalOf({entry("a", Verdict::Pass)}, header)}));
  }
  const std::string other =
      "the suites differ, 0.2.0 and 0.2.1: a change need not be one of the target";
  EXPECT_THAT(compare(nights).warnings,
              ElementsAre("a and b: " + other, "b and c: the runs planned different cases"));
  EXPECT_THAT(compareReports(nights[0], nights[1]).warnings, ElementsAre(other));
  EXPECT_THAT(compareReports(nights[1], nights[2]).warnings,
              ElementsAre("the runs planned different cases"));
}

TEST(Version, NumbersAreCompared) {
  EXPECT_LT(versionNumbers("DirectML 1.9.1"), versionNumbers("DirectML 1.10.0"));
  EXPECT_THAT(versionNumbers("none"), IsEmpty());
  EXPECT_EQ(versionIn("libvkd3d 1.2"), "1.2");
  EXPECT_EQ(versionIn("llvmpipe Mesa 22.3.6 (LLVM 15.0.6)"), "22.3.6");
  EXPECT_EQ(versionIn("v1.2."), "1.2");
}

TEST(Version, ASpanHasVersionsThatHaveItAndTheFirstThatNoLongerDoes) {
  const SeenInVersion has{true, true}, lacks{true, false}, unasked{};
  const VersionSpan until = spanOf({{"1.9", has}, {"1.10", has}, {"1.11", lacks}, {"2", unasked}});
  EXPECT_THAT(until.has, ElementsAre("1.9", "1.10"));
  EXPECT_EQ(until.notAfterwards, "1.11");
  EXPECT_EQ(rangeOf(until), ">=1.9 <1.11");
  EXPECT_EQ(rangeOf(spanOf({{"1.9", lacks}, {"1.10", has}, {"1.11", has}})), ">=1.10 <=1.11");
  const VersionSpan gap = spanOf({{"1", has}, {"2", lacks}, {"3", has}});
  EXPECT_TRUE(gap.cameBack);
  EXPECT_EQ(rangeOf(gap), "");
}

}  // namespace
}  // namespace dmlcts

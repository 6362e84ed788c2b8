#include "reports/compare/matrix.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "reports/compare/version.h"
#include "reports/render/writers.h"
#include "reports/test/sample_journals.h"

// Configurations side by side: claims only where they are proved.

namespace dmlcts {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kRule = "gather_nd.negative-indices";

JournalEntry entry(int number, Verdict verdict) {
  JournalEntry made = executed("gather_nd level=4.0 input=f32:" + std::to_string(number + 2) +
                                   "x2 indices=i32:1x1 output=1x2",
                               verdict, 0.5);
  made.rules = {kRule};
  if (isFailure(verdict)) {
    made.message = "wrong";
    made.kinds = {{"wrong-elements", 1}};
  }
  return made;
}

struct TestedRun {
  std::string version;
  std::string adapter = "A";
  std::vector<Verdict> verdicts = {Verdict::Pass, Verdict::Pass};
  uint64_t missing = 0;  // planned cases without a verdict
  std::string specification{kSpecificationEdition};
  std::vector<std::string> queries = {};
};

Configuration configurationOf(const std::string& name, const TestedRun& run) {
  JournalHeader header;
  header.target = "directml";
  header.implementation = run.version;
  header.adapter = run.adapter;
  header.specification = run.specification;
  header.tier = "smoke";
  header.queries = run.queries;
  header.plannedCases = run.verdicts.size() + run.missing;
  header.tierCases = {{"gather_nd 4.0", header.plannedCases}};
  std::vector<JournalEntry> entries;
  for (Verdict verdict : run.verdicts) {
    entries.push_back(entry(static_cast<int>(entries.size()), verdict));
  }
  return {name, summarize(std::vector{journalOf(std::move(entries), header)})};
}

const MatrixCell& cellOf(const Matrix& matrix, size_t column) {
  for (const MatrixLine& line : matrix.levels) {
    if (line.op == "gather_nd" && line.level == "4.0") return line.cells.at(column);
  }
  throw std::logic_error("no such line");
}

const MatrixCell& ruleOf(const Matrix& matrix, size_t column) {
  for (const MatrixLine& line : matrix.rules) {
    if (line.rule == kRule) return line.cells.at(column);
  }
  throw std::logic_error("no such line");
}

// Not even a rule that is checked in every case: a crash shows nothing about it.
TEST(Matrix, NoRuleHoldsOfATargetThatAlwaysCrashes) {
  const std::vector<Configuration> all{
      configurationOf("crashes", {.version = "1.0", .verdicts = {Verdict::Crash, Verdict::Crash}})};
  const Matrix matrix = makeMatrix(all);
  EXPECT_FALSE(matrix.rules.empty());
  for (const MatrixLine& line : matrix.rules) {
    EXPECT_NE(line.cells[0].status, Compliance::Conforms) << line.rule;
  }
}

TEST(Matrix, HoldsOnlyWhereNothingIsInDoubt) {
  const TestedRun whole{"1.0"};
  TestedRun cut = whole, old = whole, filtered = whole, stopped = whole;
  cut.missing = 1;
  old.specification = "2021";
  filtered.queries = {"gather_nd"};
  stopped.verdicts = {Verdict::Pass, Verdict::InternalError};
  const std::vector<Configuration> all{
      configurationOf("whole", whole), configurationOf("cut", cut), configurationOf("old", old),
      configurationOf("filtered", filtered), configurationOf("stopped", stopped)};
  const Matrix matrix = makeMatrix(all);
  EXPECT_EQ(cellOf(matrix, 0).status, Compliance::Conforms);
  EXPECT_EQ(ruleOf(matrix, 0).status, Compliance::Conforms);
  EXPECT_THAT(whyUnproven(*all[0].report), IsEmpty());
  for (size_t column = 1; column < all.size(); ++column) {
    EXPECT_NE(cellOf(matrix, column).status, Compliance::Conforms) << all[column].name;
    EXPECT_NE(ruleOf(matrix, column).status, Compliance::Conforms) << all[column].name;
    EXPECT_THAT(cellOf(matrix, column).statement, Not(HasSubstr("conforms"))) << all[column].name;
    for (const MatrixLine& line : matrix.operators) {
      EXPECT_NE(line.cells[column].status, Compliance::Conforms) << all[column].name;
    }
  }
  EXPECT_EQ(whyUnproven(*all[1].report), "incomplete: 1 of 3 planned cases without a verdict");
  EXPECT_EQ(whyUnproven(*all[2].report),
            "judged by specification edition 2021, not " + std::string(kSpecificationEdition));
  EXPECT_EQ(headlineOf(matrix),
            "3 of 5 configurations as expected, 2 of them unproven; 2 with failures");
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
  Journal journal = journalOf({entry(static_cast<int>(index), Verdict::Pass)}, header);
  journal.name = "shard" + std::to_string(index);
  return journal;
}

TEST(Matrix, SaysWhatIsWrongWithTheJournals) {
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

TEST(Matrix, CountsCasesAndTimes) {
  TestedRun broken{"1.0"};
  broken.verdicts = {Verdict::Pass, Verdict::Fail, Verdict::Pass, Verdict::NotAsked};
  const std::vector<Configuration> all{configurationOf("broken", broken)};
  const Matrix matrix = makeMatrix(all);
  EXPECT_EQ(cellOf(matrix, 0).status, Compliance::Broken);
  EXPECT_EQ(cellOf(matrix, 0).count, 2u);
  EXPECT_EQ(cellOf(matrix, 0).of, 3u);
  EXPECT_DOUBLE_EQ(cellOf(matrix, 0).seconds, 2);
  EXPECT_EQ(ruleOf(matrix, 0).statement, "failed");
  EXPECT_EQ(ruleOf(matrix, 0).count, 1u);
  // A level that ran proves nothing about levels that did not.
  for (const MatrixLine& line : matrix.operators) {
    EXPECT_NE(line.cells[0].status, Compliance::Conforms) << line.op;
  }
}

TEST(Matrix, AnOperatorHoldsOnlyIfItRanAtEveryLevel) {
  const std::vector<Configuration> all{configurationOf("whole", TestedRun{"1.0"})};
  const Matrix matrix = makeMatrix(all);
  EXPECT_EQ(cellOf(matrix, 0).status, Compliance::Conforms);
  const auto line = std::ranges::find(matrix.operators, "gather_nd", &MatrixLine::op);
  ASSERT_NE(line, matrix.operators.end());
  EXPECT_EQ(line->cells[0].status, Compliance::Unproven);
  EXPECT_THAT(line->cells[0].statement, HasSubstr("not run at every level"));
}

// The second run has other cases, as a larger tier would: the query must stay the same.
TEST(Matrix, CasesThatNoFailingConfigurationRanAreNoCounterexamples) {
  const std::vector<Verdict> some{Verdict::Fail, Verdict::Fail, Verdict::Pass, Verdict::Pass};
  std::vector<Configuration> all{configurationOf("fails", {.version = "1", .verdicts = some}),
                                 configurationOf("conforms", {.version = "2"})};
  ASSERT_EQ(makeMatrix(all).findings.size(), 1u);
  const std::string query = makeMatrix(all).findings[0].query;
  EXPECT_NE(query, "");
  for (JournalEntry& each : all[1].report->cases) each.caseString += " seed=9";
  EXPECT_EQ(makeMatrix(all).findings.at(0).query, query);
}

// Returns the history of a finding from runs: version, driver, fails.
std::vector<Deviation::OnDriver> history(
    const std::vector<std::tuple<std::string, std::string, bool>>& runs) {
  std::vector<Configuration> all;
  for (const auto& [version, driver, fails] : runs) {
    TestedRun run{version, driver};
    run.verdicts = {Verdict::Pass, fails ? Verdict::Fail : Verdict::Pass};
    all.push_back(configurationOf(version + driver, run));
  }
  const Matrix matrix = makeMatrix(all);
  EXPECT_EQ(matrix.findings.size(), 1u);
  return matrix.findings.at(0).drivers;
}

TEST(Matrix, AFindingIsThereSinceAndUntilAVersion) {
  const auto since = history({{"1.9", "A", false}, {"1.10", "A", true}, {"1.11", "A", true}});
  ASSERT_EQ(since.size(), 1u);
  EXPECT_EQ(since[0].since, "1.10");
  EXPECT_EQ(since[0].notBefore, "1.9");
  EXPECT_THAT(since[0].has, ElementsAre("1.10", "1.11"));
  EXPECT_EQ(since[0].until, "");

  // The order of the configurations does not matter.
  const auto until = history({{"1.11", "A", false}, {"1.9", "A", true}, {"1.10", "A", true}});
  EXPECT_EQ(until[0].until, "1.10");
  EXPECT_EQ(until[0].notAfterwards, "1.11");
  EXPECT_EQ(until[0].since, "");

  const auto always = history({{"1.9", "A", true}, {"1.10", "A", true}});
  EXPECT_EQ(always[0].since + always[0].until, "");

  const auto gap = history({{"1", "A", true}, {"2", "A", false}, {"3", "A", true}});
  EXPECT_EQ(gap[0].since + gap[0].until, "");
  EXPECT_THAT(gap[0].lacks, ElementsAre("2"));
}

TEST(Matrix, VersionsOnDifferentDriversSayNothingOfEachOther) {
  const auto drivers = history({{"1", "A", false}, {"2", "B", true}});
  ASSERT_EQ(drivers.size(), 2u);
  for (const Deviation::OnDriver& each : drivers) EXPECT_EQ(each.since + each.until, "");
  EXPECT_EQ(drivers[0].driver, "A");
  EXPECT_THAT(drivers[0].has, IsEmpty());
  EXPECT_THAT(drivers[1].has, ElementsAre("2"));
}

TEST(Matrix, ComparesNeighboursOverThoseWithoutAReport) {
  TestedRun broken{"3"};
  broken.verdicts = {Verdict::Fail, Verdict::Pass};
  const std::vector<Configuration> all{configurationOf("first", TestedRun{"1"}),
                                       {"second", std::nullopt, "did not start: no <driver>\nmore"},
                                       configurationOf("third", broken)};
  const Matrix matrix = makeMatrix(all);
  ASSERT_EQ(matrix.neighbours.size(), 1u);
  EXPECT_EQ(matrix.neighbours[0].before, 0u);
  EXPECT_EQ(matrix.neighbours[0].after, 2u);
  EXPECT_EQ(matrix.neighbours[0].diff.count(RunChange::Broken), 1u);
  for (const MatrixLine& line : matrix.levels) {
    EXPECT_EQ(line.cells[1].status, Compliance::NotRun);
    EXPECT_EQ(line.differs, line.op == "gather_nd" && line.level == "4.0") << line.op << line.level;
  }
  EXPECT_THAT(matrixText(toDocument(matrix)), HasSubstr("second: did not start: no <driver>\n"));
  std::ostringstream markdown;
  writeMatrixMarkdown(markdown, toDocument(matrix));
  EXPECT_THAT(markdown.str(), HasSubstr("](third/index.html)"));
  EXPECT_THAT(markdown.str(), HasSubstr("**broken**, 1 of 2"));
  EXPECT_THAT(markdown.str(), HasSubstr("`third` 1 of 1\n"));
}

TEST(Version, NumbersAreCompared) {
  EXPECT_LT(versionNumbers("DirectML 1.9.1"), versionNumbers("DirectML 1.10.0"));
  EXPECT_THAT(versionNumbers("none"), IsEmpty());
  EXPECT_EQ(versionIn("libvkd3d 1.2"), "1.2");
  EXPECT_EQ(versionIn("llvmpipe Mesa 22.3.6 (LLVM 15.0.6)"), "22.3.6");
  EXPECT_EQ(versionIn("v1.2."), "1.2");
}

}  // namespace
}  // namespace dmlcts

#include "fuzz/campaign.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "conformance/test/test_folder.h"
#include "reports/render/writers.h"
#include "reports/summary/wording.h"

// Whole campaigns against workers of `dmlcts worker`.

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Campaign : public testing::Test {
 protected:
  FuzzOptions options(const std::string& target) {
    FuzzOptions options;
    options.target.command.argv = {DMLCTS_COMMAND, "worker", target};
    options.target.poison = 1;
    options.replayArguments = "--target " + target;
    options.seed = 7;
    options.folder = folder_ / "report";
    return options;
  }

  // The time is up at the look at the clock after that many.
  static void endAfter(size_t looks, FuzzOptions& options) {
    options.seconds = 1;
    options.clock = [looks, seen = size_t{0}]() mutable {
      return std::chrono::steady_clock::time_point(std::chrono::seconds(seen++ < looks ? 0 : 2));
    };
  }

  size_t verdictsJournaled() const {
    return readJournal(folder_ / "report" / "journal.jsonl").entries.size();
  }

  std::string fileText(const char* name) const { return readText(folder_ / "report" / name); }

  const TestFolder own_;
  const fs::path folder_ = own_.path();
};

TEST_F(Campaign, NothingIsTestedOnceTheTimeIsUp) {
  FuzzOptions failing = options("mutant:rows-reversed");
  endAfter(100, failing);
  const FuzzResult result = fuzz(failing);
  EXPECT_GT(result.report.totals.failures(), 0u);
  EXPECT_EQ(result.statistics.executions, 0u);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_GT(result.unshrunk, 0u);
  EXPECT_LE(verdictsJournaled(), 100u);

  // A resumed run shrinks first.
  FuzzOptions resumed = options("mutant:rows-reversed");
  resumed.cases = 1;
  resumed.resume = true;
  const FuzzResult rest = fuzz(resumed);
  EXPECT_GE(rest.findings.size(), result.unshrunk);
  EXPECT_EQ(rest.unshrunk, 0u);
}

TEST_F(Campaign, ShrinkingEndsWhenTheTimeIsUp) {
  FuzzOptions failing = options("mutant:rows-reversed");
  failing.stopAfter = 1;
  std::string said;
  failing.say = [&](const std::string& text) { said += text; };
  size_t looks = 0;  // at the clock, until all of it was said
  failing.seconds = 1;
  failing.clock = [&] {
    looks += said.empty() ? 1 : 0;
    return std::chrono::steady_clock::time_point();
  };
  const FuzzResult whole = fuzz(failing);
  ASSERT_EQ(whole.findings.size(), 1u);
  EXPECT_FALSE(whole.findings[0].cut);

  said.clear();
  failing.overwrite = true;
  endAfter(looks - 10, failing);
  const FuzzResult cut = fuzz(failing);
  ASSERT_EQ(cut.findings.size(), 1u) << said;
  EXPECT_TRUE(cut.findings[0].cut);
  EXPECT_TRUE(cut.findings[0].matters.empty());
  EXPECT_LT(cut.statistics.executions, whole.statistics.executions);
  EXPECT_THAT(said, HasSubstr("the time was up: it may get smaller"));
}

TEST_F(Campaign, ExamplesAreLeftWhenTheTimeIsUp) {
  fs::create_directories(folder_ / "examples");
  std::ofstream(folder_ / "examples" / "a.case")
      << "nonzero_coordinates level=4.0 input=u8:9 coords=9x1 fill=all\n";
  FuzzOptions late = options("reference");
  late.database = folder_ / "examples";
  endAfter(1, late);
  const FuzzResult result = fuzz(late);
  EXPECT_EQ(result.examples, 0u);
  EXPECT_EQ(result.examplesLeft, 1u);
  EXPECT_EQ(verdictsJournaled(), 0u);
}

// The same numbers of cases on the terminal, in summary.md, report.json and the journal; and what
// they are, of which none is a claim of a level.
TEST_F(Campaign, SaysWhatItIsAndCountsTheSameEverywhere) {
  for (const uint64_t cases : {300, 600}) {
    FuzzOptions clean = options("reference");
    clean.cases = cases;
    clean.resume = true;
    const FuzzResult result = fuzz(clean);
    ASSERT_GT(result.statistics.relations, 0u);
    const Report& report = result.report;
    EXPECT_EQ(verdictsJournaled(), cases);
    EXPECT_EQ(report.totals.all(), cases);
    EXPECT_EQ(report.planned(), cases);
    EXPECT_TRUE(report.complete());
    EXPECT_TRUE(report.claims.empty());
    EXPECT_TRUE(report.compliance.empty());
    EXPECT_EQ(exitStatus(report), 0);
    EXPECT_EQ(conclude(report).tone, Conclusion::Tone::Good);
    const ReportDocument json = ReportDocument::parse(fileText("report.json"));
    EXPECT_EQ(json["cases"], cases);
    EXPECT_EQ(json["plans"][0]["shards"][0]["planned"], cases);
    const std::string of = std::to_string(cases) + " cases pass";
    for (const std::string& text :
         {terminalSummary(report), fileText("summary.md"), json["conclusion"].dump()}) {
      EXPECT_THAT(text, AllOf(HasSubstr("random cases (seed 7): "), HasSubstr(of),
                              HasSubstr("Random cases (seed 7), "), HasSubstr("coverage: "),
                              HasSubstr("they say nothing of levels")));
      EXPECT_THAT(text, AllOf(Not(HasSubstr("incomplete")), Not(HasSubstr("unproven")),
                              Not(HasSubstr("conform"))));
    }
  }
}

}  // namespace
}  // namespace dmlcts

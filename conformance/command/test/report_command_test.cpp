// `dmlcts report` as a process: missing shards, merges, formats and expectation drafts.

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "conformance/test/command_test.h"
#include "dmlcts_version.h"
#include "reports/journal/journal.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class ReportCommandTest : public CommandTest {
 protected:
  // Runs one of three shards of a few cases into a folder.
  int runShard(int i, const std::string& folder, const std::string& more = "") const {
    return dmlcts("run --tier smoke family=documents --target reference --shard " +
                  std::to_string(i) + "/3 --report " + folder + " --quiet " + more)
        .status;
  }

  void shorten(const std::string& name, size_t lines) const {
    std::string text = read(name);
    for (; lines > 0; --lines) text.erase(text.rfind('\n', text.size() - 2) + 1);
    std::ofstream(folder_.path() / name) << text;
  }

  std::map<std::string, int> verdicts(const std::string& journal) const {
    std::map<std::string, int> counts;
    for (const JournalEntry& entry : readJournal(folder_.path() / journal).entries) {
      ++counts[std::string(name(entry.verdict))];
    }
    return counts;
  }
};

// Replay lines, run as printed, fail as the case did.
TEST_F(ReportCommandTest, ReplayLinesNameTargetAndFlags) {
  const std::string how = "--target mutant:negative-index-ignored --timeout 61 --repeat 2";
  ASSERT_EQ(dmlcts("run --tier smoke family=indices " + how + " --report r --quiet").status, 1);
  const auto report = json("r/report.json");
  const auto& failures = report["failures"];
  const auto& failure =
      *std::ranges::find_if(failures, [](const auto& each) { return each["bundle"] != ""; });
  const auto replay = failure["replay"].get<std::string>();
  EXPECT_THAT(replay, HasSubstr(how));
  EXPECT_THAT(read("r/" + failure["bundle"].get<std::string>() + "/README.md"),
              HasSubstr("\n" + replay + "\n"));
  EXPECT_EQ(report["replay"].get<std::string>(), replay.substr(0, replay.find(" \"")));
  const Outcome again = dmlcts(replay.substr(replay.find(' ') + 1));
  EXPECT_EQ(again.status, 1) << again.err;
  EXPECT_THAT(again.out, HasSubstr("\nFail: "));
}

TEST_F(ReportCommandTest, NothingIsMissingOfAWholeRun) {
  for (int i : {1, 2, 3}) ASSERT_EQ(runShard(i, "s" + std::to_string(i)), 0);
  const Outcome merged = dmlcts("report merge s1 s2 s3 --report all");
  EXPECT_EQ(merged.status, 0) << merged.out;
  EXPECT_THAT(merged.out, Not(HasSubstr("missing")));
}

TEST_F(ReportCommandTest, MergeNamesAbsentAndIncompleteShards) {
  ASSERT_EQ(runShard(2, "s2"), 0);
  const size_t planned = readJournal(folder_.path() / "s2/journal.jsonl").entries.size();
  ASSERT_GT(planned, 2u);
  shorten("s2/journal.jsonl", 2);
  fs::create_directory(folder_.path() / "s3");  // its run never began
  Outcome outcome = dmlcts("report merge s2 s3 --report all");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\ns3: no journal\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nmissing: shards 1,2,3 of 3; run them again"));
  EXPECT_THAT(outcome.out, HasSubstr("planned cases without a verdict"));
  const auto report = json("all/report.json");
  EXPECT_FALSE(report["complete"]);
  EXPECT_EQ(report["plans"][0]["missingShards"].size(), 2u);

  // The named shards can be run as printed; then nothing is missing.
  for (int i : {1, 2, 3}) ASSERT_EQ(runShard(i, "s" + std::to_string(i), "--resume"), 0);
  EXPECT_EQ(dmlcts("report merge s1 s2 s3 --report all --overwrite").status, 0);
}

TEST_F(ReportCommandTest, MergeNamesRangesOfShards) {
  ASSERT_EQ(dmlcts("run --tier smoke family=documents --target reference --shard 4/9 "
                   "--report s4 --quiet")
                .status,
            0);
  const Outcome outcome = dmlcts("report merge s4 --report all");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\nmissing: shards 1-3,5-9 of 9; run them again"));
}

// The report of all cases there are is complete, but not what was asked for.
TEST_F(ReportCommandTest, MergeFailsForAnEmptyFolder) {
  fs::create_directory(folder_.path() / "empty");
  ASSERT_EQ(dmlcts("run --tier smoke family=documents --target reference --report whole -q").status,
            0);
  EXPECT_EQ(dmlcts("report merge whole empty --report all").status, 1);
}

// Each shard is complete, but another version partitioned the cases otherwise: some cases are in no
// shard or in two.
TEST_F(ReportCommandTest, MergeNamesShardsThatDoNotAddUp) {
  for (int i : {1, 2, 3}) ASSERT_EQ(runShard(i, "s" + std::to_string(i)), 0);
  const auto partitionOtherwise = [&](const std::string& journal) {
    std::string text = read(journal);
    const std::string_view member = "\"partitionHash\":\"";
    char& digit = text.at(text.find(member) + member.size());
    digit = digit == '0' ? '1' : '0';
    std::ofstream(folder_.path() / journal) << text;
  };
  partitionOtherwise("s1/journal.jsonl");
  EXPECT_EQ(dmlcts("report merge s1 s2 s3 --report all").status, 1);
  const auto report = json("all/report.json");
  ASSERT_EQ(report["conflicts"].size(), 1u);
  EXPECT_EQ(report["conflicts"][0]["member"], "partitionHash");

  EXPECT_EQ(runShard(1, "s1", "--resume"), 2) << "another shard 1";
  for (int i : {2, 3}) partitionOtherwise("s" + std::to_string(i) + "/journal.jsonl");
  EXPECT_EQ(dmlcts("report merge s1 s2 s3 --report all --overwrite").status, 0);
}

TEST_F(ReportCommandTest, WaivesWhatARunFound) {
  const std::string run =
      "run --tier smoke nonzero_coordinates --target mutant:minus-zero-counted "
      "--bundles 0 --quiet --report ";
  ASSERT_EQ(dmlcts(run + "before").status, 1);
  const auto before = verdicts("before/journal.jsonl");
  ASSERT_GT(before.at("Fail"), 0);

  ASSERT_EQ(dmlcts("report expectations before --out known.json").status, 0);
  const auto known = json("known.json")["expectations"];
  // One fault, but two entries: some cases' fill does not promise a minus zero.
  ASSERT_EQ(known.size(), 2u) << known.dump(1);
  EXPECT_EQ(known[0]["rule"], "nonzero_coordinates.signed-zero");
  for (const auto& entry : known) {
    EXPECT_EQ(entry["verdict"], "Fail");
    EXPECT_EQ(entry["when"]["target"], "mutant:minus-zero-counted");
    EXPECT_FALSE(entry["reason"].get<std::string>().empty());
  }
  const Outcome again = dmlcts("report expectations before --out known.json");
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("not overwritten"));

  const Outcome after = dmlcts(run + "after --expectations known.json");
  EXPECT_EQ(after.status, 0) << after.out;
  EXPECT_THAT(after.out, Not(HasSubstr("no case matched")));
  const auto counts = verdicts("after/journal.jsonl");
  EXPECT_EQ(counts.at("Waived"), before.at("Fail"));
  EXPECT_EQ(counts.at("Pass"), before.at("Pass"));
  EXPECT_EQ(counts.size(), 2u);

  // They do not apply to another target.
  EXPECT_EQ(dmlcts("run --tier smoke nonzero_coordinates --target reference --report other "
                   "--expectations known.json --quiet")
                .status,
            0);
  EXPECT_FALSE(verdicts("other/journal.jsonl").contains("UnexpectedPass"));
  const Outcome none = dmlcts("report expectations other");
  EXPECT_TRUE(nlohmann::json::parse(none.out)["expectations"].empty());
}

TEST_F(ReportCommandTest, ShowsEveryFormat) {
  ASSERT_EQ(dmlcts("run --tier smoke family=positions --target mutant:last-element-lost "
                   "--bundles 1 --quiet --report run")
                .status,
            1);
  const std::string bundle = "run/bundles/";
  for (const auto& [format, file] : {std::pair{"junit", "junit.xml"},
                                     {"markdown", "summary.md"},
                                     {"json", "report.json"},
                                     {"html", "index.html"}}) {
    const std::string command = std::string("report show run --format ") + format;
    const Outcome printed = dmlcts(command);
    EXPECT_EQ(printed.status, 1) << printed.err;
    const Outcome written = dmlcts(command + " --out run/again");
    EXPECT_EQ(written.status, 1);
    EXPECT_EQ(written.out, dmlcts("report show run").out);
    EXPECT_EQ(read("run/again"), read(std::string("run/") + file)) << format;
    fs::remove(folder_.path() / "run/again");
  }
  // Bundle paths are relative to the report's folder.
  EXPECT_THAT(dmlcts("report show run --format json").out, HasSubstr(bundle));
  ASSERT_EQ(dmlcts("report merge run --report elsewhere/deep").status, 1);
  EXPECT_THAT(read("elsewhere/deep/report.json"), HasSubstr("../../" + bundle));
}

TEST_F(ReportCommandTest, DiffTellsARegression) {
  const std::string run = "run --tier smoke family=positions --quiet --bundles 0 --target ";
  ASSERT_EQ(dmlcts(run + "reference --report good").status, 0);
  ASSERT_EQ(dmlcts(run + "mutant:last-element-lost --report bad").status, 1);
  EXPECT_EQ(dmlcts("report diff good good").status, 0);
  const Outcome broken = dmlcts("report diff good bad");
  EXPECT_EQ(broken.status, 1);
  EXPECT_THAT(broken.out, HasSubstr("Pass -> Fail: nonzero_coordinates"));
  EXPECT_THAT(broken.out, HasSubstr("mutant:last-element-lost"));
  const Outcome fixed = dmlcts("report diff bad good --format json");
  EXPECT_EQ(fixed.status, 0);
  EXPECT_GT(nlohmann::json::parse(fixed.out)["counts"]["fixed"], 0);
}

TEST_F(ReportCommandTest, ComparesRunsByTheNamesOfTheirFolders) {
  const std::string run = "run --tier smoke family=positions --quiet --bundles 0 --target ";
  for (const char* night : {"a", "b"}) {
    ASSERT_EQ(dmlcts(run + "reference --report nights/" + night + "/run").status, 0);
  }
  ASSERT_EQ(dmlcts(run + "mutant:last-element-lost --report nights/c/run").status, 1);
  // Makes c the earliest.
  std::string text = read("nights/c/run/journal.jsonl");
  const size_t year = text.find("\"startedAt\":\"") + 13;
  text.replace(year, 4, "2001");
  std::ofstream(folder_.path() / "nights/c/run/journal.jsonl") << text;

  const Outcome sorted = dmlcts("report diff nights/*/run");
  EXPECT_EQ(sorted.status, 0) << sorted.out;
  EXPECT_THAT(sorted.out, testing::StartsWith("c to b: No regression; "));
  EXPECT_THAT(sorted.out, HasSubstr("\n  a: "));
  EXPECT_THAT(sorted.out, HasSubstr(kSuiteVersion));
  const Outcome given = dmlcts("report diff nights/*/run --in-order");
  EXPECT_EQ(given.status, 1);
  EXPECT_THAT(given.out, testing::StartsWith("a to c: "));
  EXPECT_THAT(given.out, HasSubstr("Pass -> Fail since c: nonzero_coordinates"));
  // Two are compared as given, too.
  EXPECT_EQ(dmlcts("report diff nights/b/run nights/c/run").status, 1);
  EXPECT_EQ(dmlcts("report diff nights/c/run nights/b/run").status, 0);

  ASSERT_EQ(dmlcts("report diff nights/*/run --format html --out all.html").status, 0);
  EXPECT_THAT(read("all.html"), HasSubstr("\"page\":\"nights/a/run/index.html\""));
}

// All that it says of a cut run is in its text: what stdout and stderr say cannot cut each other.
TEST_F(ReportCommandTest, DiffSaysEverythingOnStandardOutput) {
  ASSERT_EQ(
      dmlcts("run --tier smoke family=positions --quiet --target reference --report good").status,
      0);
  ASSERT_EQ(dmlcts("run --tier smoke family=positions --quiet --target mutant:last-element-lost "
                   "--bundles 0 --report bad")
                .status,
            1);
  shorten("bad/journal.jsonl", 10);  // the last lines say when it fails
  const Outcome cut = dmlcts("report diff good bad");
  EXPECT_EQ(cut.status, 1);
  EXPECT_EQ(cut.err, "");
  EXPECT_THAT(cut.out.substr(0, cut.out.find('\n')),
              testing::EndsWith("; the later run ended before its last case."));
}

TEST_F(ReportCommandTest, FilesOfDeqpRunner) {
  ASSERT_EQ(dmlcts("run --tier smoke family=positions --quiet --bundles 0 "
                   "--target mutant:last-element-lost --report bad")
                .status,
            1);
  EXPECT_EQ(dmlcts("report show bad --format deqp").status, 1);
  const std::string fails = read("deqp/fails.txt");
  const size_t name = fails.find("\nnonzero_coordinates/level=");
  ASSERT_NE(name, std::string::npos) << fails;
  // Back to the case string, as docs/run-nightly.md describes.
  const std::string line = fails.substr(name + 1, fails.find('\n', name + 1) - name - 1);
  EXPECT_TRUE(line.ends_with(",Fail")) << line;
  EXPECT_THAT(read("deqp/results.csv"), HasSubstr(line + ",0."));
  std::string caseString = line.substr(0, line.find(','));
  std::ranges::replace(caseString, '/', ' ');
  std::ranges::replace(caseString, ';', ',');
  EXPECT_EQ(dmlcts("replay --target mutant:last-element-lost '" + caseString + "'").status, 1);

  const Outcome again = dmlcts("report show bad --format deqp");
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("deqp/results.csv exists"));
  fs::remove(folder_.path() / "deqp/results.csv");
  EXPECT_EQ(dmlcts("report show bad --format deqp").status, 2);
  EXPECT_FALSE(fs::exists(folder_.path() / "deqp/results.csv"));
}

TEST_F(ReportCommandTest, AnInternalErrorIsStatus3InEveryCommandThoughCasesFailToo) {
  const std::string run = "run --tier smoke family=positions --quiet --bundles 0 --target ";
  ASSERT_EQ(dmlcts(run + "reference --report good").status, 0);
  ASSERT_EQ(dmlcts(run + "mutant:last-element-lost --report bad").status, 1);
  std::string text = read("bad/journal.jsonl");
  const std::string pass = "\"verdict\":\"Pass\"";
  text.replace(text.find(pass), pass.size(), "\"verdict\":\"InternalError\"");
  std::ofstream(folder_.path() / "bad/journal.jsonl") << text;
  for (const char* command :
       {"report show bad", "report merge bad --report merged", "report diff good bad"}) {
    EXPECT_EQ(dmlcts(command).status, 3) << command;
  }
}

}  // namespace
}  // namespace dmlcts

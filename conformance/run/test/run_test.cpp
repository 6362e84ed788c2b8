// Whole runs with real worker processes: verdicts, survival, resume, shards, bundles. Workers are
// `dmlcts worker`, so no GPU is needed.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "conformance/facts/labels.h"
#include "conformance/facts/traits.h"
#include "conformance/language/case_string.h"
#include "conformance/run/runner.h"
#include "conformance/run/test/wrong_worker_state.h"
#include "conformance/test/test_folder.h"
#include "reports/journal/input_file.h"
#include "reports/journal/journal.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RunTest : public testing::Test {
 protected:
  RunOptions options(const std::string& target, std::vector<std::string> queries) {
    RunOptions options;
    options.schedule.tier = "smoke";
    options.schedule.queries = std::move(queries);
    options.lane.command.argv = {DMLCTS_COMMAND, "worker", target};
    options.lane.poison = 1;
    options.folder = folder_ / "report";
    return options;
  }

  fs::path journalFile() const { return folder_ / "report" / "journal.jsonl"; }

  const TestFolder own_;
  const fs::path folder_ = own_.path();
};

TEST_F(RunTest, ThePerfectTargetPassesAndLeavesReports) {
  const RunResult result = runConformance(options("reference", {}));
  EXPECT_EQ(result.report.totals.failures(), 0u);
  EXPECT_EQ(result.report.totals[Verdict::Pass], result.report.totals.all());
  EXPECT_GT(result.report.totals.all(), 500u);
  for (const char* file : {"journal.jsonl", "report.json", "junit.xml", "index.html"}) {
    EXPECT_TRUE(fs::exists(folder_ / "report" / file)) << file;
  }
}

// Each worker failure affects only the verdicts of its own cases: UINT8 inputs of rank 7.
class WorkerFailureTest : public RunTest,
                          public testing::WithParamInterface<std::pair<const char*, Verdict>> {};

TEST_P(WorkerFailureTest, CostsOnlyItsOwnCases) {
  const auto [manner, expected] = GetParam();
  RunOptions run = options(manner, {"input=u8:* expect=execute", "input=i8:*x*x*x*x*x*x*"});
  const WrongWorkerState state(folder_ / "state");
  if (expected == Verdict::Timeout) {
    run.lane.command = {{DMLCTS_WRONG_WORKER, manner}, {{"WRONG_WORKER_FOLDER", folder_.string()}}};
    run.lane.clock = [&] { return state.now(); };
  }
  runConformance(run);
  int workerFailures = 0;
  for (const JournalEntry& entry : readJournal(journalFile()).entries) {
    const bool culprit = entry.type == "u8" && entry.rank == 7 && entry.executed;
    EXPECT_EQ(entry.verdict, culprit ? expected : Verdict::Pass) << entry.caseString;
    if (!culprit) continue;
    ++workerFailures;
    ASSERT_EQ(entry.attempts.size(), 2u) << entry.caseString;
    EXPECT_THAT(entry.attempts[1], HasSubstr("alone: " + std::string(name(expected))));
  }
  EXPECT_GT(workerFailures, 0);
}

INSTANTIATE_TEST_SUITE_P(All, WorkerFailureTest,
                         testing::Values(std::pair{"mutant:crash", Verdict::Crash},
                                         std::pair{"hangs-on-u8", Verdict::Timeout},
                                         std::pair{"mutant:removal", Verdict::DeviceRemoved},
                                         std::pair{"mutant:short-answer", Verdict::Fail}),
                         [](const auto& each) { return std::string(name(each.param.second)); });

TEST_F(RunTest, AWorkerThatCannotStartIsAnInternalErrorInItsOwnWordsAndResumeGoesOn) {
  RunOptions run = options("reference", {"nonzero_coordinates level=4.0"});
  const auto right = run.lane.command.argv;
  run.lane.command.argv = {"/bin/sh", "-c", "echo no device left >&2; exit 1"};
  const RunResult failed = runConformance(run);
  EXPECT_FALSE(failed.stopped.empty());
  EXPECT_EQ(failed.report.totals[Verdict::InternalError], 1u);
  EXPECT_EQ(failed.report.totals.all(), 1u);
  EXPECT_THAT(failed.report.cases[0].message, HasSubstr("no device left"));
  EXPECT_FALSE(failed.report.complete());

  run.lane.command.argv = right;
  run.resume = true;
  const RunResult resumed = runConformance(run);
  EXPECT_EQ(resumed.stopped, "");
  EXPECT_TRUE(resumed.report.complete());
  EXPECT_EQ(resumed.report.totals[Verdict::Pass], resumed.report.totals.all());
  EXPECT_EQ(resumed.report.run.target, "reference");
}

// A worker crashes once and its replacement cannot start.
TEST_F(RunTest, AWorkerThatCannotBeReplacedEndsTheRunWithAnInternalError) {
  RunOptions run = options("mutant:crash", {"input=u8:* expect=execute"});
  const fs::path once = folder_ / "started";
  const std::string script =
      "[ ! -e \"$1\" ] || { echo no device left >&2; exit 1; }; : > \"$1\"; "
      "exec \"$2\" worker mutant:crash";
  run.lane.command.argv = {"/bin/sh", "-c", script, "worker", once.string(), DMLCTS_COMMAND};
  const RunResult result = runConformance(run);
  EXPECT_FALSE(result.stopped.empty());
  EXPECT_EQ(result.report.totals[Verdict::InternalError], 1u);
  const auto entry =
      std::ranges::find(result.report.cases, Verdict::InternalError, &JournalEntry::verdict);
  EXPECT_THAT(entry->message, HasSubstr("no device left"));
  EXPECT_EQ(result.report.totals.failures(), 0u);
}

// The journal has the facts about inputs that reports need, also for skipped cases.
TEST_F(RunTest, TheJournalHasTheFactsOfTheInputs) {
  RunOptions run = options("reference", {"gather_nd family=indices", "family=documents"});
  run.expectations = folder_ / "known.json";
  std::ofstream(run.expectations)
      << R"({"version": 2, "skip": [{"query": "nonzero_coordinates level=4.0", "reason": "slow"}]})";
  const RunResult result = runConformance(run);
  EXPECT_GT(result.report.totals[Verdict::Skipped], 0u);
  const Report merged = summarize(std::vector{readJournal(run.folder / "journal.jsonl")});
  EXPECT_EQ(merged.cases, result.report.cases);
  for (const JournalEntry& entry : merged.cases) {
    const Case testCase = parseCase(entry.caseString);
    if (!entry.executed) {
      EXPECT_EQ(entry.labels + entry.has, "");
      continue;
    }
    EXPECT_EQ(entry.labels, wordsOf(labelsOf(testCase))) << entry.caseString;
    EXPECT_EQ(entry.has, wordsOf(inputFactsOf(testCase)->traits)) << entry.caseString;
    EXPECT_EQ(entry.denormals, inputFactsOf(testCase)->denormals) << entry.caseString;
  }
}

TEST_F(RunTest, RepeatFindsWhatChangesFromRunToRun) {
  RunOptions run = options("mutant:sometimes-one-bit", {"gather_nd family=indices"});
  run.lane.repeat = 3;
  const RunResult result = runConformance(run);
  ASSERT_GT(result.report.failures.size(), 0u);
  const std::string message = result.report.cases[result.report.failures[0]].message;
  EXPECT_THAT(message, HasSubstr("not the same in 3 runs"));
}

TEST_F(RunTest, ExpectationsWaiveAndUnexpectedPassesFail) {
  RunOptions run = options("mutant:minus-zero-counted", {"nonzero_coordinates input=f32:*"});
  run.expectations = folder_ / "known.json";
  std::ofstream(run.expectations)
      << R"({"version": 2, "expectations": [{"query": "nonzero_coordinates input=f32:* expect=execute",
             "rule": "nonzero_coordinates.nonzero", "kinds": ["wrong-elements"],
             "verdict": "Fail", "reason": "minus zero"}]})";
  const RunResult result = runConformance(run);
  EXPECT_GT(result.report.totals[Verdict::Waived], 0u);
  EXPECT_EQ(result.report.totals[Verdict::Fail], 0u);
  EXPECT_GT(result.report.totals[Verdict::UnexpectedPass], 0u);
  EXPECT_GT(result.report.totals.failures(), 0u);
}

// In a whole tier, an entry that no case meets fails the run. In a part of a tier, this is unknown.
TEST_F(RunTest, ExpectationsThatNoCaseMeetsFailTheRun) {
  RunOptions run = options("reference", {});
  run.expectations = folder_ / "known.json";
  std::ofstream(run.expectations)
      << R"({"version": 2, "expectations": [{"query": "nonzero_coordinates input=f32:*",
             "rule": "nonzero_coordinates.nonzero", "kinds": ["wrong-elements"],
             "verdict": "Fail", "reason": "denormals"}]})";
  runConformance(run);
  const Journal whole = readJournal(journalFile());
  ASSERT_EQ(whole.workerFailures.size(), 1u);
  EXPECT_EQ(whole.workerFailures[0].verdict, Verdict::UnexpectedPass);
  EXPECT_THAT(whole.workerFailures[0].message, HasSubstr("expected Fail of cases matching"));
  run.resume = true;
  runConformance(run);
  EXPECT_EQ(readJournal(journalFile()).workerFailures.size(), 1u) << "said once";

  run.resume = false;
  run.overwrite = true;
  run.schedule.queries = {"nonzero_coordinates"};
  EXPECT_THAT(runConformance(run).warnings, testing::Contains(HasSubstr("were not looked for")));
  EXPECT_EQ(readJournal(journalFile()).workerFailures.size(), 0u);
}

TEST_F(RunTest, FailuresLeaveBundlesAndShrunkOnes) {
  RunOptions run = options("mutant:last-element-lost", {"nonzero_coordinates family=positions"});
  run.bundles = 2;
  runConformance(run);
  const Journal journal = readJournal(journalFile());
  const auto failed = std::ranges::find_if(journal.entries,
                                           [](const auto& entry) { return !entry.bundle.empty(); });
  ASSERT_NE(failed, journal.entries.end());
  const fs::path bundle = folder_ / "report" / failed->bundle;
  for (const char* file : {"README.md", "input.npy", "input.bytes.npy", "count.expected.npy",
                           "count.actual.npy", "dxdispatch.json"}) {
    EXPECT_TRUE(fs::exists(bundle / file)) << file;
  }
  std::ifstream model(bundle / "dxdispatch.json");
  const auto parsed = nlohmann::json::parse(model);
  EXPECT_EQ(parsed["dispatchables"]["case"]["type"], "DML_OPERATOR_NONZERO_COORDINATES");
  const std::string shrunk = readText(bundle / "shrunk/README.md");
  EXPECT_THAT(shrunk, HasSubstr("Shrunk from"));
  EXPECT_THAT(shrunk, HasSubstr(":1 ")) << "one element is enough:\n" << shrunk;
}

}  // namespace
}  // namespace dmlcts

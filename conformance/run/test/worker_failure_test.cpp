// Worker failures: each has a verdict or a journal line, and none is blamed on a target that did
// not cause it.

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "conformance/run/expectations/expectations.h"
#include "conformance/run/replay/shrink.h"
#include "conformance/run/runner.h"
#include "conformance/run/test/wrong_worker_state.h"
#include "conformance/test/test_folder.h"
#include "reports/journal/journal.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::Each;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

class WrongWorker : public testing::Test {
 protected:
  WrongWorker() {
    setenv("WRONG_WORKER_FOLDER", folder_.c_str(), 1);
    for (const char* name : {"told", "go"}) mkfifo((folder_ / name).c_str(), 0600);
    state_.emplace(folder_ / "state");
  }

  RunOptions options(const std::string& manner, std::vector<std::string> queries) {
    RunOptions options;
    options.schedule.tier = "smoke";
    options.schedule.queries = std::move(queries);
    options.lane.command = {{DMLCTS_WRONG_WORKER, manner}, {}};
    if (manner.starts_with("mutant:"))
      options.lane.command.argv = {DMLCTS_COMMAND, "worker", manner};
    options.lane.clock = [this] { return state_->now(); };
    options.lane.poison = 1;
    options.folder = folder_ / "report";
    return options;
  }

  RunResult run(const std::string& manner, std::vector<std::string> queries = {"family=matrix"}) {
    RunResult result = runConformance(options(manner, std::move(queries)));
    journal_ = readJournal(folder_ / "report" / "journal.jsonl");
    return result;
  }

  std::vector<JournalEntry> withVerdict(Verdict verdict) const {
    std::vector<JournalEntry> found;
    for (const JournalEntry& entry : journal_.entries) {
      if (entry.verdict == verdict) found.push_back(entry);
    }
    return found;
  }

  // Signals `dmlcts` once a worker has written to the FIFO `told`; returns its output and exit
  // status.
  std::pair<std::string, int> interrupted(const std::string& words, const std::string& signal) {
    const std::string told = (folder_ / "told").string();
    // The command holds the FIFO open while it runs, so that its end is visible as end of file.
    const std::string command = "{ env --default-signal " DMLCTS_COMMAND " " + words + " 9>" +
                                told + " & } 2>&1; read -r word <" + told + "; kill -" + signal +
                                " $!; echo 1<>" + (folder_ / "go").string() + "; wait $!";
    FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    return {text, WEXITSTATUS(pclose(pipe))};
  }

  const TestFolder own_;
  const fs::path folder_ = own_.path();
  std::optional<WrongWorkerState> state_;
  Journal journal_;
};

TEST_F(WrongWorker, ThatIsOnlySlowPasses) {
  const RunResult result = run("slow", {"family=documents"});
  EXPECT_EQ(result.report.totals[Verdict::Pass], result.report.totals.all());
  EXPECT_THAT(journal_.workerFailures, IsEmpty());
}

TEST_F(WrongWorker, ThatCrashesWhenAMessageBringsTwoCases) {
  const RunResult result = run("mutant:company-crash");
  const auto crashed = withVerdict(Verdict::Crash);
  ASSERT_THAT(crashed, SizeIs(4)) << "two sets of two, then cases come one by one";
  EXPECT_THAT(crashed[0].message,
              HasSubstr("(in a message of 2 cases, none of which does it alone)"));
  EXPECT_THAT(crashed[0].attempts, SizeIs(2));
  EXPECT_EQ(result.report.totals.failures(), 4u);
  EXPECT_TRUE(result.report.complete());
  ASSERT_THAT(journal_.workerFailures, SizeIs(2)) << "so that no level conforms";
  EXPECT_EQ(journal_.workerFailures[0].when, "in a message of several cases");
}

TEST_F(WrongWorker, ThatBreaksTheProtocolWhenAMessageBringsTwoCasesFails) {
  run("mutant:company-answer-renamed");
  const auto failed = withVerdict(Verdict::Fail);
  ASSERT_THAT(failed, SizeIs(4));
  EXPECT_THAT(failed[0].message, HasSubstr("broke the protocol"));
  EXPECT_EQ(failed[0].kinds, (Kinds{{"malformed-answer", 1}}));
}

TEST_F(WrongWorker, ThatHangsWhenAMessageBringsTwoCases) {
  run("hangs-on-two", {"family=documents"});
  EXPECT_THAT(withVerdict(Verdict::Timeout), SizeIs(Gt(1)));
}

TEST_F(WrongWorker, ThatCrashesOnceLeavesAFlakyCase) {
  const RunResult result = run("crashes-once");
  const auto flaky = withVerdict(Verdict::Flaky);
  ASSERT_THAT(flaky, SizeIs(1));
  EXPECT_THAT(flaky[0].message, HasSubstr("Crash in a message of"));
  EXPECT_THAT(flaky[0].message, HasSubstr("SIGSEGV"));
  EXPECT_THAT(flaky[0].attempts, SizeIs(2));
  EXPECT_EQ(flaky[0].kinds, (Kinds{{"crash", 1}}));
  EXPECT_EQ(result.report.totals.failures(), 1u);
}

TEST_F(WrongWorker, ThatHangsOnceLeavesAFlakyCaseWithTheTimeOfTheSecondTry) {
  run("hangs-once");
  const auto flaky = withVerdict(Verdict::Flaky);
  ASSERT_THAT(flaky, SizeIs(1));
  EXPECT_THAT(flaky[0].message, testing::StartsWith("Timeout in a message of"));
  EXPECT_THAT(flaky[0].message, testing::MatchesRegex(".*; the second try took [0-9]+[.][0-9] s"));
}

TEST_F(WrongWorker, ThatIsWrongOnceLeavesAFlakyCase) {
  run("wrong-once");
  const auto flaky = withVerdict(Verdict::Flaky);
  ASSERT_THAT(flaky, SizeIs(1));
  EXPECT_THAT(flaky[0].message, HasSubstr("not again: 1 wrong element"));
  ASSERT_THAT(flaky[0].attempts, SizeIs(2));
  EXPECT_THAT(flaky[0].attempts[1], HasSubstr("again, alone: Pass"));
}

TEST_F(WrongWorker, ThatDiesAfterEachAnswerIsGivenUp) {
  RunOptions wrong = options("mutant:death-after-answer", {});
  wrong.lane.mostLost = 3;
  const RunResult result = runConformance(wrong);
  EXPECT_THAT(result.stopped, HasSubstr("or between cases: 3"));
  EXPECT_EQ(result.report.workerFailures[0].when, "between cases");
}

TEST_F(WrongWorker, ThatPrintsToStandardOutputBlamesNoCase) {
  const RunResult result = run("prints-once");
  EXPECT_EQ(result.report.totals[Verdict::Pass], result.report.totals.all());
  EXPECT_TRUE(result.report.complete());
  ASSERT_THAT(journal_.workerFailures, SizeIs(1));
  EXPECT_EQ(journal_.workerFailures[0].when, "on standard output");
  EXPECT_THAT(journal_.workerFailures[0].message,
              HasSubstr("it wrote \"vkQueueS…\" to standard output"));
  EXPECT_EQ(exitStatus(result.report), 1);
}

TEST_F(WrongWorker, ThatAlwaysPrintsToStandardOutputEndsTheRun) {
  const RunResult result = run("prints");
  EXPECT_THAT(result.stopped, HasSubstr("it wrote \"vkQueueS…\" to standard output"));
  EXPECT_THAT(journal_.workerFailures, SizeIs(1)) << "said once";
  EXPECT_EQ(result.report.totals[Verdict::InternalError], 1u);
  EXPECT_EQ(result.report.totals.failures(), 0u) << "no case is blamed";
  EXPECT_EQ(exitStatus(result.report), 3);
}

TEST_F(WrongWorker, OfOneOperatorGetsThreeExpectationsAtMost) {
  run("one-operator", {});
  const std::vector<Journal> journals{journal_};
  const auto draft = nlohmann::json::parse(knownFailures(journals));
  EXPECT_THAT(draft["expectations"], SizeIs(AllOf(Gt(0), Le(3)))) << draft;
  RunOptions again = options("one-operator", {});
  again.folder = folder_ / "again";
  again.expectations = folder_ / "known.json";
  std::ofstream(again.expectations) << draft;
  const RunResult result = runConformance(again);
  EXPECT_EQ(exitStatus(result.report), 0);
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST_F(WrongWorker, ThatDoesNotEndAsItShouldHasThatJournaled) {
  run("exits-with-5", {"family=documents"});
  ASSERT_THAT(journal_.workerFailures, SizeIs(Gt(0)));
  EXPECT_EQ(journal_.workerFailures[0].when, "at exit");
  EXPECT_EQ(journal_.workerFailures[0].verdict, Verdict::Crash);
  EXPECT_THAT(journal_.workerFailures[0].message, HasSubstr("exit status 5"));
}

TEST_F(WrongWorker, ThatCrashesAlwaysEndsTheRun) {
  RunOptions wrong = options("crashes-always", {});
  wrong.lane.mostLost = 7;
  const RunResult result = runConformance(wrong);
  EXPECT_THAT(result.stopped, HasSubstr("workers lost in a row or between cases: 7"));
  EXPECT_THAT(result.report.totals[Verdict::Crash], AnyOf(6u, 7u));
  EXPECT_EQ(result.report.totals[Verdict::InternalError], 0u);
  EXPECT_FALSE(result.report.complete());
}

TEST_F(WrongWorker, TakesTurnsWithTheBareLoop) {
  RunOptions turns = options("", {"family=matrix"});
  turns.measureOverhead = true;
  const RunResult result = runConformance(turns);
  EXPECT_THAT(result.overBareLoop, AllOf(SizeIs(9), Each(Gt(0))));
  EXPECT_EQ(result.report.totals.all(), result.casesRun);
}

// It would crash at once: in the run, when measuring overhead, or when shrinking.
TEST_F(WrongWorker, IsNotSentWhatIsToBeSkipped) {
  RunOptions wrong = options("crashes-always", {});
  wrong.jobs = 2;
  wrong.measureOverhead = true;
  wrong.expectations = folder_ / "known.json";
  std::ofstream(wrong.expectations)
      << R"({"version": 2, "skip": [{"query": "*", "reason": "takes the machine down"}]})";
  const RunResult result = runConformance(wrong);
  EXPECT_EQ(result.stopped, "");
  EXPECT_EQ(result.casesRun, 0u);
  EXPECT_EQ(result.report.totals[Verdict::Skipped], result.report.totals.all());
  EXPECT_GT(result.report.totals.all(), 0u);
  EXPECT_THAT(result.report.workerFailures, testing::IsEmpty());
  EXPECT_EQ(result.report.cases[0].message, "takes the machine down");
  EXPECT_EQ(exitStatus(result.report), 1) << "nothing was asked";
  for (const Claim& claim : result.report.claims) EXPECT_NE(claim.status, Compliance::Conforms);
  wrong.resume = true;
  EXPECT_EQ(runConformance(wrong).report.totals, result.report.totals);

  LaneOptions options = wrong.lane;
  options.whySkipped = [](const Case&) { return std::optional<std::string>("it hangs"); };
  Lane lane(options);
  const Case testCase = chooseCases(wrong.schedule).cases.front().testCase;
  const CaseOutcome trial = lane.tryCase(testCase);
  EXPECT_EQ(trial.judgement.verdict, Verdict::Skipped);
  EXPECT_EQ(trial.judgement.message, "it hangs");
  EXPECT_FALSE(trial.answer);
  options.whySkipped = {};
  EXPECT_EQ(Lane(options).tryCase(testCase).judgement.verdict, Verdict::Crash);
}

TEST_F(WrongWorker, ThatIsAnotherOnEachLaneIsRefused) {
  RunOptions wrong = options("mutant:device-per-process", {});
  wrong.jobs = 2;
  const RunResult result = runConformance(wrong);
  EXPECT_THAT(result.stopped,
              HasSubstr("worker 2 hosts something else than worker 1: the adapter"));
  EXPECT_EQ(result.report.totals[Verdict::InternalError], 1u);
}

TEST_F(WrongWorker, ThatIsAnotherLaterIsNotResumed) {
  RunOptions wrong = options("mutant:device-per-process", {"family=documents"});
  runConformance(wrong);
  wrong.resume = true;
  EXPECT_THROW(runConformance(wrong), UsageError);
}

TEST_F(WrongWorker, IsNotAskedAboveItsHighestLevel) {
  const RunResult result = run("level-4.0");
  for (const JournalEntry& entry : journal_.entries) {
    const bool above = entry.level > "4.0";
    EXPECT_EQ(entry.verdict, above ? Verdict::NotAsked : Verdict::Pass) << entry.caseString;
  }
  EXPECT_GT(result.report.totals[Verdict::NotAsked], 0u);
}

TEST_F(WrongWorker, ASignalEndsTheRunWithWhatIsKnownAndTheLineThatGoesOn) {
  const std::string report = (folder_ / "report").string();
  for (const auto& [signal, status] : {std::pair{"INT", 130}, {"TERM", 143}}) {
    for (const char* manner : {"waits", "never-answers"}) {
      fs::remove_all(report);
      const auto [text, ended] =
          interrupted("run --tier smoke --overwrite --report " + report +
                          " --worker '" DMLCTS_WRONG_WORKER " " + manner + "'",
                      signal);
      EXPECT_EQ(ended, status) << text;
      EXPECT_THAT(text, AnyOf(HasSubstr("stopped: told to stop"),
                              HasSubstr("stopped: interrupted before the first case")));
      EXPECT_THAT(text, HasSubstr("to go on: dmlcts run --tier smoke --report " + report));
      EXPECT_THAT(text, HasSubstr("--resume\n"));
      EXPECT_TRUE(fs::exists(folder_ / "report" / "index.html"));
    }
  }
  const auto [text, ended] =
      interrupted("fuzz --seed 1 --time 600 --report " + (folder_ / "fuzz").string() +
                      " --worker '" DMLCTS_WRONG_WORKER " waits'",
                  "TERM");
  EXPECT_EQ(ended, 143) << text;
  EXPECT_THAT(text, HasSubstr("to go on: dmlcts fuzz"));
}

TEST_F(WrongWorker, ASignalEndsTheWaitForAWorkerThatDoesNotStart) {
  // The second worker started never says anything.
  const std::string told = (folder_ / "told").string();
  const std::string silent = "exec tail -f /dev/null";
  const std::string second = "sh -c \\\"mkdir " + (folder_ / "first").string() + " && exec " +
                             DMLCTS_WRONG_WORKER " never-answers || echo > " + told + " && " +
                             silent + "\\\"";
  for (const std::string command :
       {"run --tier smoke --jobs 2", "fuzz --seed 1 --time 600 --jobs 2"}) {
    const fs::path report = folder_ / command.substr(0, command.find(' '));
    fs::remove_all(folder_ / "first");
    const auto [text, ended] = interrupted(
        command + " --report " + report.string() + " --worker \"" + second + "\"", "TERM");
    EXPECT_EQ(ended, 143) << text;
    EXPECT_THAT(text, HasSubstr("to go on: dmlcts " + command));
  }
  // The first worker is silent: an earlier run, if any, is kept.
  for (const std::string command : {"run --tier smoke --overwrite", "run --tier smoke",
                                    "fuzz --seed 1 --time 600 --overwrite"}) {
    const std::string report = (folder_ / command.substr(0, command.find(' '))).string();
    const bool overwrites = command.ends_with("--overwrite");
    const auto [text, ended] =
        interrupted(command + " --report " + report + (overwrites ? "" : "-new") +
                        " --worker \"sh -c \\\"echo > " + told + "; " + silent + "\\\"\"",
                    "TERM");
    EXPECT_EQ(ended, 143) << text;
    if (command.starts_with("run")) {
      EXPECT_THAT(text, HasSubstr("dmlcts: interrupted before the first case"));
    }
    EXPECT_TRUE(!overwrites || fs::exists(fs::path(report) / "journal.jsonl"));
  }
}

TEST(SmallestSet, FindsPairsAndTriples) {
  for (const std::vector<size_t>& culprits :
       {std::vector<size_t>{3, 40}, {0, 1}, {0, 63}, {5, 6, 50}, {1, 31, 32}}) {
    int asked = 0;
    const auto found = smallestSet(64, 200, [&](const std::vector<size_t>& part) {
      ++asked;
      return std::ranges::includes(part, culprits);
    });
    EXPECT_EQ(found, culprits);
    EXPECT_LT(asked, 120);
  }
}

TEST(SmallestSet, IsEmptyWhereNothingComesBackAndBounded) {
  EXPECT_THAT(smallestSet(64, 40, [](const auto&) { return false; }), IsEmpty());
  int asked = 0;
  const auto found = smallestSet(64, 5, [&](const std::vector<size_t>& part) {
    ++asked;
    return std::ranges::binary_search(part, size_t{20}) && part.size() > 2;
  });
  EXPECT_EQ(asked, 5);
  EXPECT_TRUE(std::ranges::binary_search(found, size_t{20}));
}

}  // namespace
}  // namespace dmlcts

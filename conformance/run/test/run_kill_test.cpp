// Kills `dmlcts run` at each of its file-system calls, and at random moments (a separate ctest
// test).

#include <gmock/gmock.h>

#include <random>

#include "conformance/test/kill_sweep.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMutant = "mutant:minus-zero-counted";

using Words = std::vector<std::string>;

// A few cases; three fail, selected by the second query's level.
const Words kFew{"gather_nd family=documents level=6.4",
                 "nonzero_coordinates family=documents level=6.1", "--bundles", "1"};
// Cases of which 18 fail.
const Words kPositions{"nonzero_coordinates family=positions", "--bundles", "3"};

Invocation run(const fs::path& root, const Words& choice, const Words& more = {},
               const char* target = kMutant) {
  Invocation invocation;
  invocation.words = {DMLCTS_COMMAND, "run",  "--tier",   "smoke",      "--quiet",
                      "--target",     target, "--report", root.string()};
  for (const Words* words : {&choice, &more}) {
    invocation.words.insert(invocation.words.end(), words->begin(), words->end());
  }
  return invocation;
}

auto killed(const Words& choice, const Words& more, const Words& environment = {}) {
  return [=](const fs::path& root, long call) {
    Invocation whole = run(root, choice, more);
    whole.environment = environment;
    return call == 0 ? whole : killedAt(whole, call);
  };
}

TEST(KilledRun, ResumesToTheVerdictsOfARunThatNobodyKilled) {
  TestFolder folder;
  const Victim victim{
      .begin = killed(kFew, {}), .goOn = killed(kFew, {"--resume"}), .report = "", .cases = 10};
  EXPECT_GT(sweepKills(victim, folder.path()), 50);
}

// Kills a run at every seventh file-system call, and resumes it.
void sweepLanes(const char* jobs, const Words& environment) {
  TestFolder folder;
  const Victim victim{.begin = killed(kPositions, {"--jobs", jobs}, environment),
                      .goOn = killed(kPositions, {"--jobs", jobs, "--resume"}, environment),
                      .report = "",
                      .cases = 100,
                      .failures = 18,
                      .step = 7};
  EXPECT_GT(sweepKills(victim, folder.path()), 50);
}

// Several lanes meet the failures in another order each time.
TEST(KilledRun, TheFailuresThatHaveBundlesFollowFromTheSchedule) { sweepLanes("3", {}); }

TEST(KilledRun, ALossOfPowerLeavesWholeBundles) { sweepLanes("1", {"DMLCTS_POWER_CUT=1"}); }

// At no moment does a page of the old run lie beside the new journal.
TEST(KilledRun, OverwritesTheOldRunWhollyOrNotAtAll) {
  TestFolder folder;
  const fs::path old = folder.path() / "old";
  ASSERT_EQ(runToEnd(run(old, kFew, {}, "reference"), folder.path() / "old.txt"), 0);
  const std::string oldJournal = readText(old / "journal.jsonl");
  bool begun = false;
  for (long call = 1; !begun && !HasFailure(); ++call) {
    const fs::path root = folder.path() / std::to_string(call);
    fs::copy(old, root, fs::copy_options::recursive);
    ASSERT_EQ(runToEnd(killed(kFew, {"--overwrite"})(root, call), folder.path() / "new.txt"), 137);
    waitForLock(root / "journal.jsonl");
    const std::string journal = readText(root / "journal.jsonl");
    if (journal == oldJournal) continue;
    for (const char* name : {"index.html", "report.json", "junit.xml", "summary.md", "bundles"}) {
      EXPECT_FALSE(fs::exists(root / name)) << name << ", killed at call " << call;
    }
    const Journal now = readJournal(root / "journal.jsonl");
    begun = !now.entries.empty();
    EXPECT_TRUE(now.headers.empty() || now.headers[0].target == kMutant);
    EXPECT_EQ(runToEnd(run(root, kFew, {"--resume"}), folder.path() / "new.txt"), 1);
    resultsOf(root, "");
  }
}

pid_t childOf(pid_t parent) {
  std::ifstream children("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) +
                         "/children");
  pid_t child = 0;
  children >> child;
  return child;
}

// Thirty kills of the harness, or of its worker and then the harness, each shortly after the
// journal grew. Compares a completed run with an undisturbed one, then starts another.
TEST(RandomKills, ARunSurvives) {
  constexpr int kKills = 30;
  TestFolder folder;
  const auto command = [](const fs::path& root) { return run(root, kPositions, {"--resume"}); };
  ASSERT_EQ(runToEnd(command(folder.path() / "whole"), folder.path() / "whole.txt"), 1);
  const RunResults expected = resultsOf(folder.path() / "whole", "");
  std::atomic<int> harnessKills = 0;
  std::atomic<int> workerKills = 0;
  std::atomic<int> attempts = 0;
  std::atomic<int> runs = 0;

  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    while (harnessKills < kKills && !HasFailure()) {
      const fs::path root = folder.path() / std::to_string(runs++);
      const fs::path output = folder.path() / (root.filename().string() + ".txt");
      const auto journalSize = [&] {
        std::error_code none;
        const auto size = fs::file_size(root / "journal.jsonl", none);
        return none ? uintmax_t{0} : size;
      };
      int status = 0;
      for (bool ended = false; !ended;) {
        const bool wanted = harnessKills < kKills;
        const bool killWorker = ++attempts % 2 == 0;
        const uintmax_t before = journalSize();
        const pid_t harness = startProcess(command(root), output);
        while (waitpid(harness, &status, WNOHANG) == 0) {
          usleep(200);
          if (!wanted || journalSize() <= before) continue;
          usleep(std::uniform_int_distribution(0, 4000)(random));
          const pid_t worker = killWorker ? childOf(harness) : 0;
          if (worker > 0) {
            kill(worker, SIGKILL);
            ++workerKills;
            usleep(std::uniform_int_distribution(0, 20000)(random));
          }
          kill(harness, SIGKILL);
          waitpid(harness, &status, 0);
          waitForLock(root / "journal.jsonl");
          if (WIFSIGNALED(status)) ++harnessKills;
          break;
        }
        ended = WIFEXITED(status);
      }
      EXPECT_EQ(WEXITSTATUS(status), 1) << readText(output);
      RunResults left = resultsOf(root, "");
      // A case whose worker was killed only once is correctly flaky.
      int flaky = 0;
      for (auto& [key, verdict] : left.verdicts) {
        if (verdict != Verdict::Flaky) continue;
        ++flaky;
        verdict = expected.verdicts.at(key);
      }
      EXPECT_LE(flaky, workerKills);
      EXPECT_EQ(left.verdicts, expected.verdicts);
      if (flaky == 0) {
        EXPECT_EQ(left.bundles, expected.bundles);
      }
      fs::remove_all(root);
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
  EXPECT_GT(workerKills, 0);
}

}  // namespace
}  // namespace dmlcts

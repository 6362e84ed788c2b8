// Kills `dmlcts fuzz` and `dmlcts nightly` at each file-system call: 40 cases, two of them failing.

#include "conformance/test/explores.h"
#include "conformance/test/kill_sweep.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMutant = "mutant:minus-zero-counted";
constexpr size_t kFailures = 3;  // by the seeds below; another generator has another number

Invocation fuzz(const std::vector<std::string>& options, const fs::path& root, long call,
                const std::vector<std::string>& more = {}) {
  Invocation whole;
  whole.words = {DMLCTS_COMMAND,  "fuzz",       "--report",
                 root / "report", "--database", root / "database"};
  whole.words.insert(whole.words.end(), options.begin(), options.end());
  whole.words.insert(whole.words.end(), more.begin(), more.end());
  return call == 0 ? whole : killedAt(whole, call);
}

// Returns the number of calls. With `example`, the database holds one of its failures already.
// DMLCTS_EXPLORE kills at five times as many of them.
long sweep(const std::vector<std::string>& options, Victim victim, bool example = true) {
  TestFolder folder;
  victim.begin = [&](const fs::path& root, long call) { return fuzz(options, root, call); };
  victim.goOn = [&](const fs::path& root, long call) {
    return fuzz(options, root, call, {"--resume"});
  };
  victim.report = "report";
  if (victim.step > 1 && !explores()) victim.step *= 5;
  if (example) {
    EXPECT_EQ(runToEnd(fuzz(options, folder.path() / "before", 0, {"--shrink", "1"}),
                       folder.path() / "before.txt"),
              1);
    victim.prepare = [&](const fs::path& root) {
      fs::create_directories(root);
      fs::copy(folder.path() / "before/database", root / "database");
    };
  }
  return sweepKills(victim, folder.path());
}

TEST(KilledFuzz, ResumesToTheVerdictsOfARunThatNobodyKilled) {
  EXPECT_GT(sweep({"--target", kMutant, "--seed", "20260116000001", "--cases", "40"},
                  {.failures = kFailures}, false),
            60);
}

// Across chunks and relations: the failures that are investigated, and what comes of them, follow
// from the sequence of the seed. Its example has a verdict, too.
TEST(KilledFuzz, FindsWhatARunThatNobodyKilledFinds) {
  EXPECT_GT(sweep({"--target", "mutant:rows-reversed", "--seed", "4", "--cases", "700"},
                  {.cases = 701, .failures = 98, .step = 12}),
            600);
}

// Nothing depends on which of the workers was first.
TEST(KilledFuzz, WithSeveralJobsFindsWhatARunThatNobodyKilledFinds) {
  EXPECT_GT(
      sweep({"--target", "mutant:rows-reversed", "--seed", "9", "--cases", "300", "--jobs", "4"},
            {.cases = 300, .failures = 51, .step = 24}, false),
      100);
}

// A kill between the two targets' turns at a chunk loses no comparison.
TEST(KilledFuzz, ComparesWhatARunThatNobodyKilledCompares) {
  EXPECT_GT(sweep({"--target", "reference", "--against", "mutant:rows-reversed", "--no-relations",
                   "--seed", "4", "--cases", "150"},
                  {.cases = 172, .failures = 21, .step = 5}),
            100);
}

// Kills the night and everything it started, like a power cut. With this seed, three of 40 cases
// fail.
TEST(KilledNight, GoesOn) {
  TestFolder folder;
  const auto night = [](const fs::path& root, long call) {
    Invocation whole;
    whole.words = {DMLCTS_COMMAND, "nightly",  root.string(), "--night",  "x",      "--seed",
                   "20260116",     "--target", kMutant,       "--no-run", "--part", "40",
                   "--parts",      "1",        "--fuzz",      "600"};
    return call == 0 ? whole : killedAt(whole, call);
  };
  // Folder, night.json, the log, and the note that the part is finished.
  EXPECT_GT(
      sweepKills({.begin = night, .goOn = night, .report = "x/fuzz-001", .failures = kFailures},
                 folder.path()),
      10);
}

}  // namespace
}  // namespace dmlcts

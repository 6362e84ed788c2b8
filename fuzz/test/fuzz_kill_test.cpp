// Kills `dmlcts fuzz` and `dmlcts nightly` at each file-system call: 40 cases, two of them failing.

#include "conformance/test/kill_sweep.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMutant = "mutant:minus-zero-counted";
constexpr size_t kFailures = 3;  // by the seeds below; another generator has another number
constexpr size_t kLonger = 701;  // verdicts of a longer run, an example's among them
constexpr size_t kLongerFailures = 98;
constexpr size_t kCompared = 172;  // verdicts, disagreements among them
constexpr size_t kDisagreements = 21;
constexpr size_t kPrograms = 251;  // an example among them
constexpr size_t kProgramFailures = 24;

auto fuzz(const std::vector<std::string>& more) {
  return [more](const fs::path& root, long call) {
    Invocation whole;
    whole.words = {DMLCTS_COMMAND, "fuzz",           "--target", kMutant,
                   "--seed",       "20260116000001", "--cases",  "40"};
    whole.words.insert(whole.words.end(), {"--report", (root / "report").string(), "--database",
                                           (root / "database").string()});
    whole.words.insert(whole.words.end(), more.begin(), more.end());
    return call == 0 ? whole : killedAt(whole, call);
  };
}

TEST(KilledFuzz, ResumesToTheVerdictsOfARunThatNobodyKilled) {
  TestFolder folder;
  const long calls = sweepKills(
      {.begin = fuzz({}), .goOn = fuzz({"--resume"}), .report = "report", .failures = kFailures},
      folder.path());
  EXPECT_GT(calls, 60);
  RecordProperty("calls", static_cast<int>(calls));
}

auto with(const std::vector<std::string>& options) {
  return [options](const std::vector<std::string>& more) {
    return [options, more](const fs::path& root, long call) {
      Invocation whole;
      whole.words = {DMLCTS_COMMAND, "fuzz",
                     "--report",     (root / "report").string(),
                     "--database",   (root / "database").string()};
      whole.words.insert(whole.words.end(), options.begin(), options.end());
      whole.words.insert(whole.words.end(), more.begin(), more.end());
      return call == 0 ? whole : killedAt(whole, call);
    };
  };
}

// Sweeps a run whose database holds one of its failures already.
long sweepWithExample(const std::vector<std::string>& options, Victim victim) {
  TestFolder folder;
  const auto run = with(options);
  Invocation before = run({"--shrink", "1", "--overwrite"})(folder.path() / "before", 0);
  EXPECT_EQ(runToEnd(before, folder.path() / "before.txt"), 1);
  victim.begin = run({});
  victim.goOn = run({"--resume"});
  victim.report = "report";
  victim.prepare = [&](const fs::path& root) {
    fs::create_directories(root);
    fs::copy(folder.path() / "before/database", root / "database");
  };
  return sweepKills(victim, folder.path());
}

// Across chunks and relations: the failures that are investigated, and what comes of them, follow
// from the sequence of the seed.
TEST(KilledFuzz, FindsWhatARunThatNobodyKilledFinds) {
  EXPECT_GT(sweepWithExample({"--target", "mutant:rows-reversed", "--seed", "4", "--cases", "700"},
                             {.cases = kLonger, .failures = kLongerFailures, .step = 12}),
            600);
}

// A kill between the two targets' turns at a chunk loses no comparison.
TEST(KilledFuzz, ComparesWhatARunThatNobodyKilledCompares) {
  EXPECT_GT(sweepWithExample({"--target", "reference", "--against", "mutant:rows-reversed",
                              "--no-relations", "--seed", "4", "--cases", "150"},
                             {.cases = kCompared, .failures = kDisagreements, .step = 5}),
            100);
}

TEST(KilledFuzz, RunsTheProgramsOfARunThatNobodyKilled) {
  EXPECT_GT(sweepWithExample({"--sequences", "--target", "mutant:sequence.rebind-ignored", "--seed",
                              "1", "--cases", "250"},
                             {.cases = kPrograms, .failures = kProgramFailures, .step = 12}),
            100);
}

// Kills the night and everything it started, like a power cut. With this seed, three of 40 cases
// fail.
TEST(KilledNight, GoesOn) {
  TestFolder folder;
  const auto night = [](const fs::path& root, long call) {
    Invocation whole;
    whole.words = {DMLCTS_COMMAND, "nightly",  root.string(), "--night",  "x",           "--seed",
                   "20260116",     "--target", kMutant,       "--no-run", "--part",      "40",
                   "--parts",      "1",        "--fuzz",      "600",      "--sequences", "0"};
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

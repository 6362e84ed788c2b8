// Kills `dmlcts fuzz` and `dmlcts nightly` at each file-system call: 40 cases, two of them failing.

#include "conformance/test/kill_sweep.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMutant = "mutant:minus-zero-counted";
constexpr size_t kFailures = 2;  // by the seeds below; another generator has another number
constexpr size_t kLonger = 701;  // verdicts of a longer run, an example's among them
constexpr size_t kLongerFailures = 105;

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

// Across chunks and relations, with a database that holds some of what is found: the failures that
// are investigated, and what comes of them, follow from the sequence of the seed.
TEST(KilledFuzz, FindsWhatARunThatNobodyKilledFinds) {
  TestFolder folder;
  const auto longer = [](const std::vector<std::string>& more) {
    return [more](const fs::path& root, long call) {
      Invocation whole;
      whole.words = {DMLCTS_COMMAND, "fuzz",
                     "--target",     "mutant:rows-reversed",
                     "--seed",       "4",
                     "--cases",      "700",
                     "--report",     (root / "report").string(),
                     "--database",   (root / "database").string()};
      whole.words.insert(whole.words.end(), more.begin(), more.end());
      return call == 0 ? whole : killedAt(whole, call);
    };
  };
  Invocation before = longer({"--shrink", "1", "--overwrite"})(folder.path() / "before", 0);
  ASSERT_EQ(runToEnd(before, folder.path() / "before.txt"), 1);
  const auto known = [&](const fs::path& root) {
    fs::create_directories(root);
    fs::copy(folder.path() / "before/database", root / "database");
  };
  const long calls = sweepKills({.begin = longer({}),
                                 .goOn = longer({"--resume"}),
                                 .report = "report",
                                 .cases = kLonger,
                                 .failures = kLongerFailures,
                                 .step = 12,
                                 .prepare = known},
                                folder.path());
  EXPECT_GT(calls, 600);
}

// Kills the night and everything it started, like a power cut. With this seed, two of 40 cases
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

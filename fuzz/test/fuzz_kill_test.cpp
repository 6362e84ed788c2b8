// Kills `dmlcts fuzz` and fuzz/nightly at each file-system call: 40 cases, two of them failing.

#include "conformance/test/kill_sweep.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMutant = "mutant:minus-zero-counted";
constexpr size_t kFailures = 2;  // with the seeds below; depends on the generator

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

// Writes a script into the folder that comes first in PATH.
void writeScript(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "#!/bin/sh\n" << text << "\n";
  fs::permissions(file, fs::perms::owner_all);
}

class KilledNight : public testing::Test {
 protected:
  KilledNight() {
    // The day is the seed; with this one, two of 40 cases fail.
    writeScript(scratch_.path() / "bin/date", "echo 2026" DMLCTS_NIGHT);
    writeScript(scratch_.path() / "bin/dmlcts",
                "[ -z \"$KILL_DMLCTS_AT\" ] || exec env LD_PRELOAD=" DMLCTS_KILL_AT_LIBRARY
                " ASAN_OPTIONS=verify_asan_link_order=0"
                " DMLCTS_KILL_AT=\"$KILL_DMLCTS_AT\" " DMLCTS_COMMAND
                " \"$@\"\n"
                "exec " DMLCTS_COMMAND " \"$@\"");
  }

  // A night of one part of 40 cases.
  Invocation night(const fs::path& root) const {
    Invocation invocation;
    // Not started by its first line: the kill would hit env instead.
    invocation.words = {"/bin/bash", DMLCTS_NIGHTLY, root.string(), "600", "--target", kMutant};
    const std::string bin = (scratch_.path() / "bin").string();
    invocation.environment = {"PATH=" + bin + ":" + std::getenv("PATH"),
                              "DMLCTS=" + bin + "/dmlcts", "FUZZ_PART=40", "FUZZ_PARTS=1"};
    return invocation;
  }

  TestFolder scratch_;
  std::string report_ = "nights/2026" DMLCTS_NIGHT "000/001";
};

TEST_F(KilledNight, OfADmlctsThatIsKilledGoesOn) {
  const auto command = [&](const fs::path& root, long call) {
    Invocation invocation = night(root);
    if (call != 0) invocation.environment.push_back("KILL_DMLCTS_AT=" + std::to_string(call));
    return invocation;
  };
  const long calls =
      sweepKills({.begin = command, .goOn = command, .report = report_, .failures = kFailures},
                 scratch_.path());
  EXPECT_GT(calls, 60);
}

// Kills the script and everything it started, like a power cut.
TEST_F(KilledNight, GoesOn) {
  const auto command = [&](const fs::path& root, long call) {
    return call == 0 ? night(root) : killedAt(night(root), call);
  };
  // Calls: one for its lock, two for the note that a part is finished.
  EXPECT_EQ(
      sweepKills({.begin = command, .goOn = command, .report = report_, .failures = kFailures},
                 scratch_.path()),
      3);
}

}  // namespace
}  // namespace dmlcts

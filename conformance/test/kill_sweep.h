#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "conformance/test/test_folder.h"
#include "reports/journal/journal.h"

extern char** environ;

// Kills a command at its first, second, … file-system call (kill_at.cpp), and resumes it each time.

namespace dmlcts {

struct Invocation {
  std::vector<std::string> words;
  std::vector<std::string> environment;  // beyond ours: "NAME=value"
};

inline Invocation killedAt(Invocation invocation, long call) {
  invocation.environment.push_back("LD_PRELOAD=" DMLCTS_KILL_AT_LIBRARY);
  invocation.environment.push_back("DMLCTS_KILL_AT=" + std::to_string(call));
  invocation.environment.push_back("ASAN_OPTIONS=verify_asan_link_order=0");
  return invocation;
}

// Starts a process in its own process group, with its output in a file.
inline pid_t startProcess(const Invocation& invocation, const std::filesystem::path& output) {
  std::vector<std::string> words = invocation.words;
  std::vector<std::string> added = invocation.environment;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<char*> variables;
  for (std::string& variable : added) variables.push_back(variable.data());
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view old(*variable);
    const auto isNew = [&](const std::string& each) {
      return each.starts_with(old.substr(0, old.find('=') + 1));
    };
    if (std::ranges::none_of(added, isNew)) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, output.c_str(), 01 | 0100 | 02000, 0644);  // append
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  EXPECT_EQ(posix_spawn(&process, argv[0], &files, &attributes, argv.data(), variables.data()), 0);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return process;
}

// Returns an exit status like a shell's: 137 if killed. Then kills all child processes.
inline int runToEnd(const Invocation& invocation, const std::filesystem::path& output) {
  const pid_t process = startProcess(invocation, output);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  kill(-process, SIGKILL);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Waits until no process holds the lock, neither a killed one nor one that it was just starting. A
// run itself waits only briefly.
inline void waitForLock(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  EXPECT_EQ(::flock(descriptor, LOCK_EX), 0);
  ::close(descriptor);
}

// Results that must be identical whether or not the run was killed.
struct RunResults {
  std::map<std::pair<std::string, std::string>, Verdict> verdicts;  // by case string and family
  std::set<std::string> files;
  std::map<std::string, std::string> examples;  // of a database: files with their texts
  std::map<std::string, std::string> bundles;   // of the report, and the case of each
  nlohmann::json totals;

  bool operator==(const RunResults&) const = default;
};

// Every bundle that is no part of one has its files, and something in each.
inline void expectWholeBundles(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "bundles")) return;
  for (const auto& each : std::filesystem::recursive_directory_iterator(folder / "bundles")) {
    const std::string name = each.path().string();
    if (name.find(".partial") != name.npos) continue;
    if (each.is_regular_file()) {
      EXPECT_GT(each.file_size(), 0u) << name;
    } else {
      EXPECT_TRUE(std::filesystem::exists(each.path() / "README.md")) << name;
    }
  }
}

// Reads the results of a report in `root`; fails unless they add up.
inline RunResults resultsOf(const std::filesystem::path& root, const std::string& report) {
  RunResults all;
  namespace fs = std::filesystem;
  const fs::path folder = root / report;
  for (const JournalEntry& entry : readJournal(folder / "journal.jsonl").entries) {
    EXPECT_TRUE(
        all.verdicts.emplace(std::pair(entry.caseString, entry.family), entry.verdict).second)
        << "twice in the journal: " << entry.caseString;
  }
  expectWholeBundles(folder);
  for (const auto& file : std::filesystem::recursive_directory_iterator(root)) {
    const std::string name = file.path().lexically_relative(root).string();
    all.files.insert(name);
    if (file.path().extension() == ".case") all.examples[name] = readText(file.path());
  }
  const auto json = nlohmann::json::parse(readText(folder / "report.json"), nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << "report.json is not whole";
  if (!json.is_discarded()) {
    all.totals = json["totals"];
    EXPECT_EQ(json["cases"], all.verdicts.size());
    for (const auto& failure : json["failures"]) {
      const std::string bundle = failure["bundle"];
      if (!bundle.empty()) all.bundles[bundle] = failure["case"];
    }
  }
  EXPECT_TRUE(readText(folder / "index.html").ends_with("</html>\n"));
  EXPECT_TRUE(readText(folder / "junit.xml").ends_with("</testsuites>\n"));
  return all;
}

// Expects whole reports or none, and whole bundles: a kill may leave nothing else.
inline void expectNoPartialFiles(const std::filesystem::path& folder) {
  const auto whole = [&](const char* name, std::string_view end) {
    if (!std::filesystem::exists(folder / name)) return;
    EXPECT_TRUE(readText(folder / name).ends_with(end)) << "half of " << name;
  };
  whole("report.json", "}\n");
  whole("index.html", "</html>\n");
  whole("junit.xml", "</testsuites>\n");
  expectWholeBundles(folder);
}

// A run to be killed. `begin` and `goOn` return commands for a folder and the call to kill at (0:
// none). Both are killed; the result must equal that of an undisturbed `begin`.
struct Victim {
  std::function<Invocation(const std::filesystem::path& root, long call)> begin = {};
  std::function<Invocation(const std::filesystem::path& root, long call)> goOn = {};
  std::string report = {};  // its folder in the root
  int status = 1;           // of an undisturbed run
  size_t cases = 40;
  size_t failures = 3;
  long step = 1;  // from one kill to the next, in calls
  std::function<void(const std::filesystem::path& root)> prepare = [](const auto&) {};
};

// Kills the run at every call, two runs in parallel. Returns the number of calls.
inline long sweepKills(const Victim& victim, const std::filesystem::path& scratch) {
  namespace fs = std::filesystem;
  victim.prepare(scratch / "whole");
  const fs::path said = scratch / "whole.txt";
  EXPECT_EQ(runToEnd(victim.begin(scratch / "whole", 0), said), victim.status) << readText(said);
  const RunResults expected = resultsOf(scratch / "whole", victim.report);
  EXPECT_EQ(expected.verdicts.size(), victim.cases);
  EXPECT_EQ(std::ranges::count(expected.verdicts, Verdict::Fail,
                               [](const auto& each) { return each.second; }),
            static_cast<ptrdiff_t>(victim.failures));

  std::atomic<long> next = victim.step;
  std::atomic<long> end = -1;
  const auto work = [&] {
    while (end < 0 && !testing::Test::HasFailure()) {
      const long call = next.fetch_add(victim.step);
      const fs::path root = scratch / std::to_string(call);
      const fs::path output = scratch / (std::to_string(call) + ".txt");
      victim.prepare(root);
      const int status = runToEnd(victim.begin(root, call), output);
      if (status != 137) {
        EXPECT_EQ(status, victim.status) << readText(output);
        // The other thread may be at a later call.
        long known = -1;
        while (
            !end.compare_exchange_weak(known, known < 0 ? call - 1 : std::min(known, call - 1))) {
        }
      } else {
        const fs::path journal = root / victim.report / "journal.jsonl";
        waitForLock(journal);
        expectNoPartialFiles(root / victim.report);
        if (call % 4 == 0) runToEnd(victim.goOn(root, 1 + call * 7 % 23), output);
        waitForLock(journal);
        EXPECT_EQ(runToEnd(victim.goOn(root, 0), output), victim.status)
            << "killed at call " << call << "\n"
            << readText(output);
      }
      if (testing::Test::HasFailure()) return;
      const RunResults left = resultsOf(root, victim.report);
      EXPECT_EQ(left.verdicts, expected.verdicts) << "killed at call " << call;
      EXPECT_EQ(left.files, expected.files) << "killed at call " << call;
      EXPECT_EQ(left.examples, expected.examples) << "killed at call " << call;
      EXPECT_EQ(left.bundles, expected.bundles) << "killed at call " << call;
      EXPECT_EQ(left.totals, expected.totals) << "killed at call " << call;
      fs::remove_all(root);
    }
  };
  std::thread other(work);
  work();
  other.join();
  return end;
}

}  // namespace dmlcts

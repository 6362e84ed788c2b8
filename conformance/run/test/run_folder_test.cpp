// The effects of a run, as a process, on its own folder and on another run's.

#include "conformance/run/run_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <map>

#include "conformance/run/runner.h"
#include "conformance/test/test_folder.h"
#include "reports/journal/input_file.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

using Files = std::map<std::string, std::string>;  // contents by path; of folders ""

class RunFolderTest : public testing::Test {
 protected:
  // Runs dmlcts in the folder; `arguments` are shell words.
  int dmlcts(const std::string& arguments, const std::string& before = "") {
    const std::string command = "cd " + at("").string() + " && " + before + " " DMLCTS_COMMAND " " +
                                arguments + " >../said.txt 2>&1";
    const int status = std::system(("bash -c \"" + command + "\"").c_str());
    said_ = readText(scratch_.path() / "said.txt");
    return WEXITSTATUS(status);
  }

  fs::path at(const std::string& name) const {
    fs::create_directories(scratch_.path() / "here");
    return scratch_.path() / "here" / name;
  }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(at(name).parent_path());
    std::ofstream(at(name), std::ios::binary) << text;
  }

  Files files() const {
    Files all;
    for (const auto& file : fs::recursive_directory_iterator(at(""))) {
      all[file.path().lexically_relative(at("")).string()] =
          fs::is_regular_file(file.symlink_status()) ? readText(file.path()) : "";
    }
    return all;
  }

  // The command exits with status 2 and the message, and changes nothing.
  void expectRefused(const std::string& arguments, const std::string& words) {
    const Files before = files();
    EXPECT_EQ(dmlcts(arguments), 2) << arguments << "\n" << said_;
    EXPECT_THAT(said_, HasSubstr(words)) << arguments;
    EXPECT_EQ(files(), before) << arguments;
  }

  TestFolder scratch_;
  std::string said_;
};

const std::string kRun = "run --tier smoke --quiet --target reference family=documents ";
const std::string kFuzz = "fuzz --target reference --seed 1 --cases 5 ";

TEST_F(RunFolderTest, AFolderAtWorkIsLeftAlone) {
  ASSERT_EQ(dmlcts(kRun + "--report report"), 0) << said_;
  const AppendFile other(Folder(at("report")), "journal.jsonl", AppendFile::Mode::Append);
  for (const std::string& command :
       {kRun + "--report report --resume", kRun + "--report report --overwrite",
        kFuzz + "--report report --resume", kFuzz + "--report report --overwrite",
        std::string("report merge report --report report --overwrite")}) {
    expectRefused(command, "is being written by another process");
  }
  expectRefused(kRun + "--report report", "--resume continues it");
}

TEST_F(RunFolderTest, IsLockedUntilTheReportsAreThere) {
  const fs::path path = at("report");
  const auto enter = [&](RunFolder::Start start) { RunFolder folder(path, start); };
  {
    RunFolder folder(path, RunFolder::Start::New);
    folder.begin({});
    EXPECT_THROW(enter(RunFolder::Start::Overwrite), InputError);
    folder.writeReports(folder.summarize());
    EXPECT_TRUE(fs::exists(path / "index.html"));
    EXPECT_THROW(enter(RunFolder::Start::Resume), InputError);
  }
  EXPECT_NO_THROW(enter(RunFolder::Start::Resume));
}

TEST_F(RunFolderTest, OneThatDoesNotBeginLeavesNothing) {
  write("report/journal.jsonl", "{\"journal\":2,\"cut");
  const Files before = files();
  const auto enter = [this](const char* name, RunFolder::Start start) {
    const RunFolder folder(at(name), start);
  };
  enter("report", RunFolder::Start::Resume);
  enter("report", RunFolder::Start::Overwrite);
  EXPECT_EQ(files(), before);
  enter("new", RunFolder::Start::New);
  EXPECT_FALSE(fs::exists(at("new/journal.jsonl")));
}

TEST_F(RunFolderTest, WhatTheUserGaveIsCheckedBeforeTheOldRunGoes) {
  write("bad.json", "{\"expectations\": 3}");
  ASSERT_EQ(dmlcts(kRun + "--report report"), 0) << said_;
  const Files before = files();
  for (const std::string& command :
       {kRun + "--expectations bad.json", kRun + "nonsense=3",
        std::string("run --target mutant:no-such-one family=documents"),
        std::string("run --worker /bin/false family=documents"), kFuzz + "--expectations bad.json",
        kFuzz + "--against mutant:no-such-one", kFuzz + "--target mutant:no-such-one"}) {
    const int status = dmlcts(command + " --report report --overwrite");
    EXPECT_TRUE(status == 2 || status == 3) << command << "\n" << said_;
    EXPECT_EQ(files(), before) << command;
  }
}

TEST_F(RunFolderTest, NothingOfAnothersFolderIsReplacedUnasked) {
  for (const char* name :
       {"index.html", "report.json", "junit.xml", "summary.md", "bundles/mine"}) {
    write("report/" + std::string(name), "mine");
    for (const std::string& command : {kRun, kRun + "--resume ", kFuzz, kFuzz + "--resume "}) {
      expectRefused(command + "--report report", "--overwrite replaces it");
    }
    fs::remove_all(at("report"));
  }
  write("report/index.html", "mine");
  write("report/notes.txt", "mine");
  EXPECT_EQ(dmlcts(kRun + "--report report --overwrite"), 0) << said_;
  EXPECT_EQ(readText(at("report/notes.txt")), "mine");
}

TEST_F(RunFolderTest, ARunThatIsOverKeepsItsJournalWhenItIsResumed) {
  for (const std::string& command :
       {kRun, std::string("run --target mutant:minus-zero-counted --tier smoke family=values "),
        kFuzz}) {
    const int status = dmlcts(command + "--report report");
    ASSERT_LT(status, 2) << said_;
    const std::string journal = readText(at("report/journal.jsonl"));
    const std::string report = readText(at("report/report.json"));
    EXPECT_EQ(dmlcts(command + "--report report --resume"), status) << said_;
    EXPECT_EQ(readText(at("report/journal.jsonl")), journal) << command;
    EXPECT_EQ(readText(at("report/report.json")), report) << command;
    write("report/journal.jsonl", journal + "{\"bundle");
    EXPECT_EQ(dmlcts(command + "--report report --resume"), status) << said_;
    EXPECT_THAT(readText(at("report/journal.jsonl")), StartsWith(journal + "{\"journal\":"));
    fs::remove_all(at("report"));
  }
}

TEST_F(RunFolderTest, ARunThatHadNoWorkerIsReplacedWithoutAQuestion) {
  const std::string folder = " family=documents --tier smoke --quiet --report report";
  ASSERT_EQ(dmlcts("run --worker /bin/false" + folder), 3) << said_;
  ASSERT_EQ(dmlcts("run --worker /bin/false" + folder), 3) << said_;
  ASSERT_EQ(dmlcts("run --target reference" + folder), 0) << said_;
  expectRefused("run --target reference" + folder, "--overwrite replaces it");
}

TEST_F(RunFolderTest, WhereNoRunCanLie) {
  write("file", "kept");
  fs::create_directories(at("folder/journal.jsonl"));
  fs::create_directories(at("loop"));
  fs::create_symlink("journal.jsonl", at("loop/journal.jsonl"));
  fs::create_symlink("circle", at("circle"));
  for (const std::string& command : {kRun + "--overwrite ", kFuzz, kFuzz + "--resume "}) {
    expectRefused(command + "--report file", "file");
    expectRefused(command + "--report file/report", "file");
    expectRefused(command + "--report folder", "journal.jsonl");
    expectRefused(command + "--report loop", "journal.jsonl");
    expectRefused(command + "--report circle", "circle");
    expectRefused(command + "--report /proc/nowhere", "/proc/nowhere");
  }
  ASSERT_EQ(dmlcts(kRun + "--report good"), 0) << said_;
  expectRefused("report merge good --report file", "file");
  expectRefused("report merge good --report /proc/nowhere", "/proc/nowhere");
}

TEST_F(RunFolderTest, AJournalOfSomethingElseIsNotContinued) {
  write("report/journal.jsonl", "dear diary");
  expectRefused(kRun + "--report report --resume", "journal.jsonl:1");
  expectRefused(kFuzz + "--report report --resume", "journal.jsonl:1");
  fs::remove_all(at("report"));
  ASSERT_EQ(dmlcts(kRun + "--report report --seed 1"), 0) << said_;
  expectRefused(kFuzz + "--report report --resume", "its tier is smoke, now it is fuzz");
  expectRefused("run --target reference family=documents --seed 1 --report report --resume",
                "its tier is smoke, now it is default");
  fs::remove_all(at("report"));
  ASSERT_EQ(dmlcts(kFuzz + "--report report"), 0) << said_;
  std::string journal = readText(at("report/journal.jsonl"));
  const std::string whole = "\"shardCount\":1";
  journal.replace(journal.find(whole), whole.size(), "\"shardCount\":2");
  write("report/journal.jsonl", journal);
  expectRefused(kFuzz + "--report report --resume", "its shard count is 2, now it is 1");
}

// Folders that a stranger sent: nothing outside is written, changed or deleted.
TEST_F(RunFolderTest, NoLinkIsWrittenThrough) {
  const std::string run =
      "run --tier smoke --quiet --target mutant:minus-zero-counted family=documents level=6.1 "
      "--report report ";
  ASSERT_EQ(dmlcts(run), 1) << said_;
  const std::string journal = readText(at("report/journal.jsonl"));
  ASSERT_TRUE(fs::exists(at("report/bundles")));
  write("outside/journal.jsonl", journal);
  write("outside/007/README.md", "kept");
  write("outside/page", "kept");
  const auto outside = [this] {
    Files all = files();
    std::erase_if(all, [](const auto& each) { return each.first.starts_with("report"); });
    return all;
  };
  const Files before = outside();
  // The journal as a link of either kind.
  const auto isLeft = [&](const std::string& more, int status) {
    EXPECT_EQ(dmlcts(run + more), status) << more << "\n" << said_;
    EXPECT_EQ(outside(), before) << more;
  };
  fs::remove(at("report/journal.jsonl"));
  fs::create_symlink("../outside/journal.jsonl", at("report/journal.jsonl"));
  isLeft("--overwrite", 2);
  isLeft("--resume", 2);
  fs::remove(at("report/journal.jsonl"));
  fs::create_hard_link(at("outside/journal.jsonl"), at("report/journal.jsonl"));
  isLeft("--resume", 2);
  isLeft("--overwrite", 1);
  // A folder of bundles elsewhere, and a page.
  fs::remove_all(at("report/bundles"));
  fs::create_directory_symlink("../outside", at("report/bundles"));
  isLeft("--resume", 2);
  isLeft("--overwrite", 1);
  for (const char* name : {"index.html", "report.json.partial", "dmlcts.0123abcd.partial"}) {
    fs::remove(at("report/" + std::string(name)));
    fs::create_symlink("../outside/page", at("report/" + std::string(name)));
  }
  isLeft("--overwrite", 1);
  EXPECT_FALSE(fs::is_symlink(at("report/index.html")));
  // A bundle that the journal puts elsewhere.
  std::string moved = readText(at("report/journal.jsonl"));
  const size_t bundle = moved.find("\"bundle\":\"bundles/");
  ASSERT_NE(bundle, moved.npos);
  moved.replace(bundle, 18, "\"bundle\":\"../outside/");
  write("report/journal.jsonl", moved);
  isLeft("--resume", 2);
}

TEST_F(RunFolderTest, APipeInPlaceOfAFileOfOursHangsNothing) {
  ASSERT_EQ(dmlcts(kRun + "--report report"), 0) << said_;
  for (const char* name : {"report.json", "dmlcts.0123abcd.partial", "bundles"}) {
    fs::remove(at("report/" + std::string(name)));
    ASSERT_EQ(::mkfifo(at("report/" + std::string(name)).c_str(), 0600), 0);
  }
  EXPECT_EQ(dmlcts(kRun + "--report report --overwrite"), 0) << said_;
  EXPECT_GT(fs::file_size(at("report/report.json")), 0u);
}

TEST_F(RunFolderTest, ARunThatLosesItsJournalEndsWithStatus3) {
  ASSERT_EQ(dmlcts(kRun + "--report other"), 0) << said_;
  write("worker", "#!/bin/bash\nmv " + at("other/journal.jsonl").string() + " " +
                      at("report/journal.jsonl").string() +
                      " 2>/dev/null\nexec " DMLCTS_COMMAND " worker reference\n");
  fs::permissions(at("worker"), fs::perms::owner_all);
  // The second worker, which a run compares with the first at its end, replaces the journal.
  const std::string twice = "run --tier smoke --quiet --worker ./worker family=documents ";
  EXPECT_EQ(dmlcts(twice + "--report report"), 3) << said_;
  EXPECT_THAT(said_, HasSubstr("journal.jsonl: was moved, deleted or replaced"));
}

// A file-size limit simulates a full disk.
TEST_F(RunFolderTest, AFullDiskLosesNothing) {
  const auto full = [](int kilobytes) {
    return "trap '' XFSZ; ulimit -f " + std::to_string(kilobytes) + ";";
  };
  ASSERT_EQ(dmlcts(kRun + "--report whole"), 0) << said_;
  const auto pageSize = fs::file_size(at("whole/index.html"));
  const auto journalSize = fs::file_size(at("whole/journal.jsonl"));
  ASSERT_GT(pageSize, journalSize + 2048);
  // Fails in the journal, in the reports, and in a page that replaces an old one.
  EXPECT_EQ(dmlcts(kRun + "--report report", full(static_cast<int>(journalSize / 2048))), 3);
  EXPECT_THAT(said_, HasSubstr("journal.jsonl"));
  const std::string begun = readText(at("report/journal.jsonl"));
  EXPECT_GT(std::ranges::count(begun, '\n'), 1);
  const std::string forJournal = full(static_cast<int>(journalSize / 1024 + 4));
  EXPECT_EQ(dmlcts(kRun + "--report report --resume", forJournal), 3);
  EXPECT_TRUE(readText(at("report/journal.jsonl")).starts_with(begun));
  for (const auto& file : fs::directory_iterator(at("report"))) {
    EXPECT_EQ(file.path().filename(), "journal.jsonl") << "left by a run that could not end";
  }
  EXPECT_EQ(dmlcts(kRun + "--report report --resume"), 0) << said_;
  const std::string page = readText(at("report/index.html"));
  EXPECT_EQ(dmlcts("report merge whole --report report --overwrite", forJournal), 3) << said_;
  EXPECT_EQ(readText(at("report/index.html")), page);
  EXPECT_EQ(dmlcts("report show whole --format json --out new.json", full(1)), 3) << said_;
  EXPECT_FALSE(fs::exists(at("new.json")));
}

TEST_F(RunFolderTest, MergeReplacesReportsOnlyWhenAsked) {
  ASSERT_EQ(dmlcts(kRun + "--report a"), 0) << said_;
  const std::string journal = readText(at("a/journal.jsonl"));
  EXPECT_EQ(dmlcts("report merge a --report all"), 0) << said_;
  expectRefused("report merge a --report all", "--overwrite replaces it");
  expectRefused("report merge a --report a", "--overwrite replaces it");
  write("a/bundles/001/README.md", "kept");
  EXPECT_EQ(dmlcts("report merge a --report a --overwrite"), 0) << said_;
  EXPECT_EQ(readText(at("a/journal.jsonl")), journal);
  EXPECT_EQ(readText(at("a/bundles/001/README.md")), "kept");
}

TEST_F(RunFolderTest, MergeNamesAJournalThatIsGivenTwice) {
  ASSERT_EQ(dmlcts(kRun + "--report a"), 0) << said_;
  fs::create_symlink("a", at("link"));
  fs::create_hard_link(at("a/journal.jsonl"), at("hard"));
  for (const char* again : {"a", "./a", "a/journal.jsonl", "link", "hard"}) {
    expectRefused("report merge a " + std::string(again) + " --report all", "are the same journal");
  }
  EXPECT_EQ(dmlcts("report show <(cat a/journal.jsonl)"), 0) << said_;
}

TEST_F(RunFolderTest, KeepsTheTextOfWorkersSmall) {
  constexpr int kLines = 2000;
  const std::string much(16 * 1024, 'x');
  RunFolder folder(at("report"), RunFolder::Start::New);
  folder.begin({});
  JournalEntry entry;
  entry.verdict = Verdict::Crash;
  entry.message = entry.workerStderr = much;
  entry.attempts = {much};
  const auto size = [&] { return fs::file_size(folder.journalFile()); };
  folder.write(entry);
  EXPECT_GT(size(), 3 * much.size()) << "one line is kept whole";
  for (int i = 0; i < kLines; ++i) {
    entry.caseString = std::to_string(i);
    folder.write(entry);
    folder.write(JournalWorkerFailure{"at exit", Verdict::Crash, much, much});
  }
  EXPECT_LT(size(), (9u << 20) + kLines * 4096u);
  EXPECT_THAT(readText(folder.journalFile()), HasSubstr("bytes not kept"));
  size_t held = 0;
  for (const JournalEntry& each : folder.journal().entries) {
    held += each.message.size() + each.workerStderr.size();
  }
  EXPECT_LT(held, (9u << 20) + kLines * 2048u);
}

}  // namespace
}  // namespace dmlcts

#include "reports/journal/append_file.h"

#include <gmock/gmock.h>

#include <atomic>
#include <string>

#include "conformance/test/test_folder.h"
#include "conformance/test/thrown.h"
#include "reports/journal/file_size_limit.h"

// AppendFile: whole lines or nothing, whatever the disk does.

#ifndef _WIN32
#include <sys/syscall.h>
#include <unistd.h>

namespace {
std::atomic<long> syncs = 0;
}

// In place of the C library's.
extern "C" int fsync(int file) {
  const auto result = static_cast<int>(::syscall(SYS_fsync, file));
  ++syncs;
  syncs.notify_all();
  return result;
}
#endif

namespace dmlcts {
namespace {

using ::testing::HasSubstr;
using Mode = AppendFile::Mode;
namespace fs = std::filesystem;

struct At : AppendFile {
  At(const fs::path& path, Mode mode)
      : AppendFile(Folder(path.parent_path()), path.filename().string(), mode) {}
};

TEST(AppendFile, NeverOverwritesUnlessAppending) {
  TestFolder folder;
  const auto path = folder.write("a.txt", "kept\n");
  EXPECT_THAT(thrown<std::runtime_error>([&] { At file(path, Mode::CreateNew); }),
              HasSubstr("a.txt"));
  EXPECT_EQ(readText(path), "kept\n");
  At(path, Mode::Append).appendLine("more");
  EXPECT_EQ(readText(path), "kept\nmore\n");
}

TEST(AppendFile, RemovesOnlyTheCutLastLine) {
  TestFolder folder;
  // Longer than the block that is read from the end at a time.
  const std::string long1(5000, 'x');
  const std::string long2(9000, 'y');
  for (const auto& [before, after] : {std::pair<std::string, std::string>{"", ""},
                                      {"cut", ""},
                                      {"\n", "\n"},
                                      {"whole\ncut", "whole\n"},
                                      {long1 + "\n" + long2, long1 + "\n"},
                                      {long2, ""},
                                      {long2 + "\n", long2 + "\n"}}) {
    const auto path = folder.write("a.txt", before);
    At(path, Mode::Append).appendLine("new");
    EXPECT_EQ(readText(path), after + "new\n");
  }
}

TEST(AppendFile, LeavesAFileAsItIsUntilALineIsAppended) {
  TestFolder folder;
  const auto path = folder.write("a.txt", "whole\ncut");
  At(path, Mode::Append).sync();
  EXPECT_EQ(readText(path), "whole\ncut");
}

TEST(AppendFile, BeginsAnewUnderTheSameLock) {
  TestFolder folder;
  const auto path = folder.write("a.txt", "whole\ncut");
  At file(path, Mode::Append);
  file.clear();
  EXPECT_EQ(readText(path), "");
  EXPECT_THAT(thrown<std::runtime_error>([&] { At second(path, Mode::Append); }),
              HasSubstr("another"));
  file.appendLine("new");
  EXPECT_EQ(readText(path), "new\n");
}

TEST(AppendFile, NamesTheFileWhereNoneCanBeMade) {
  TestFolder folder;
  const auto inFile = folder.write("file", "") / "a.txt";
  for (Mode mode : {Mode::CreateNew, Mode::Append}) {
    EXPECT_THAT(thrown<std::runtime_error>([&] { At file(inFile, mode); }),
                HasSubstr(inFile.parent_path().string()));
  }
}

TEST(AppendFile, OneProcessAtATime) {
  TestFolder folder;
  At first(folder.path() / "a.txt", Mode::CreateNew);
  EXPECT_THAT(thrown<std::runtime_error>([&] { At second(folder.path() / "a.txt", Mode::Append); }),
              HasSubstr("a.txt"));
}

TEST(AppendFile, DiscardDeletesOnlyWhatItCreated) {
  TestFolder folder;
  const auto old = folder.write("old.txt", "kept\n");
  At(old, Mode::Append).discard();
  EXPECT_EQ(readText(old), "kept\n");
  At(folder.path() / "new.txt", Mode::Append).discard();
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "new.txt"));
}

#ifndef _WIN32

TEST(AppendFile, RefusesLinksAndWhatIsNoFile) {
  TestFolder folder;
  const auto path = folder.write("a.txt", "kept\n");
  fs::create_symlink("a.txt", folder.path() / "soft");
  fs::create_symlink("nothing", folder.path() / "dangling");
  fs::create_hard_link(path, folder.path() / "hard");
  fs::create_directory(folder.path() / "folder");
  for (const char* name : {"soft", "dangling", "hard", "folder", "../up", "..", "folder/.."}) {
    EXPECT_THAT(
        thrown<std::runtime_error>([&] { AppendFile(Folder(folder.path()), name, Mode::Append); }),
        HasSubstr(folder.path().string()));
  }
  for (const char* name : {"soft", "dangling", "folder"}) {
    EXPECT_THAT(
        thrown<std::runtime_error>([&] { AppendFile(Folder(folder.path()), name, Mode::Replace); }),
        HasSubstr(name));
  }
  EXPECT_FALSE(fs::exists(folder.path() / "nothing"));
  At another(folder.path() / "hard", Mode::Replace);
  another.clear();
  another.appendLine("new");
  EXPECT_EQ(readText(path), "kept\n");
}

TEST(AppendFile, NoticesThatItWasReplaced) {
  TestFolder folder;
  const auto path = folder.path() / "a.txt";
  At file(path, Mode::CreateNew);
  file.appendLine("first");
  fs::rename(folder.write("other", "other\n"), path);
  EXPECT_THAT(thrown<std::runtime_error>([&] { file.appendLine("second"); }),
              HasSubstr("a.txt: was moved"));
  EXPECT_THAT(thrown<std::runtime_error>([&] { file.sync(); }), HasSubstr("a.txt: was moved"));
  EXPECT_EQ(readText(path), "other\n");
}

// The test waits for a call that only comes while no line does.
TEST(AppendFile, BringsItsLastLineToTheDiskWhileNoFurtherOneComes) {
  TestFolder folder;
  At file(folder.path() / "a.txt", Mode::CreateNew);
  const long before = syncs;
  file.appendLine("the case after this one hangs");
  while (syncs == before) syncs.wait(before);
}

TEST(AppendFile, TakesBackWhatAFullDiskLeftHalfWritten) {
  TestFolder folder;
  const auto path = folder.path() / "a.txt";
  At file(path, Mode::CreateNew);
  file.appendLine("first");
  {
    FileSizeLimit full(10);
    EXPECT_THAT(thrown<std::runtime_error>([&] { file.appendLine("second line"); }),
                HasSubstr("a.txt"));
    EXPECT_EQ(readText(path), "first\n");
  }
  file.appendLine("third");  // there is room again
  EXPECT_EQ(readText(path), "first\nthird\n");
}

#endif

}  // namespace
}  // namespace dmlcts

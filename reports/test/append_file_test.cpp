#include "reports/journal/append_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <system_error>

#include "conformance/test/test_folder.h"
#include "reports/journal/file_size_limit.h"

// AppendFile: whole lines or nothing, whatever the disk does.

namespace dmlcts {
namespace {

using ::testing::HasSubstr;
using Mode = AppendFile::Mode;

// Returns the text of the std::system_error that `action` throws; "" if it throws none.
std::string errorOf(auto&& action) {
  try {
    action();
  } catch (const std::system_error& error) {
    return error.what();
  }
  return "";
}

TEST(AppendFile, NeverOverwritesUnlessAppending) {
  TestFolder folder;
  const auto path = folder.write("a.txt", "kept\n");
  EXPECT_THAT(errorOf([&] { AppendFile file(path, Mode::CreateNew); }), HasSubstr("a.txt"));
  EXPECT_EQ(readText(path), "kept\n");
  AppendFile(path, Mode::Append).appendLine("more");
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
    AppendFile(path, Mode::Append).appendLine("new");
    EXPECT_EQ(readText(path), after + "new\n");
  }
}

TEST(AppendFile, LeavesAFileAsItIsUntilALineIsAppended) {
  TestFolder folder;
  const auto path = folder.write("a.txt", "whole\ncut");
  AppendFile(path, Mode::Append).sync();
  EXPECT_EQ(readText(path), "whole\ncut");
}

TEST(AppendFile, BeginsAnewUnderTheSameLock) {
  TestFolder folder;
  const auto path = folder.write("a.txt", "whole\ncut");
  AppendFile file(path, Mode::Append);
  file.clear();
  EXPECT_EQ(readText(path), "");
  EXPECT_THAT(errorOf([&] { AppendFile second(path, Mode::Append); }), HasSubstr("another"));
  file.appendLine("new");
  EXPECT_EQ(readText(path), "new\n");
}

TEST(AppendFile, NamesTheFileWhereNoneCanBeMade) {
  TestFolder folder;
  const auto inFile = folder.write("file", "") / "a.txt";
  const auto nowhere = folder.path() / "nowhere" / "a.txt";
  for (Mode mode : {Mode::CreateNew, Mode::Append}) {
    EXPECT_THAT(errorOf([&] { AppendFile file(inFile, mode); }), HasSubstr("a.txt"));
    EXPECT_THAT(errorOf([&] { AppendFile file(nowhere, mode); }), HasSubstr("a.txt"));
  }
}

TEST(AppendFile, OneProcessAtATime) {
  TestFolder folder;
  AppendFile first(folder.path() / "a.txt", Mode::CreateNew);
  EXPECT_THAT(errorOf([&] { AppendFile second(folder.path() / "a.txt", Mode::Append); }),
              HasSubstr("a.txt"));
}

TEST(AppendFile, DiscardDeletesOnlyWhatItCreated) {
  TestFolder folder;
  const auto old = folder.write("old.txt", "kept\n");
  AppendFile(old, Mode::Append).discard();
  EXPECT_EQ(readText(old), "kept\n");
  AppendFile(folder.path() / "new.txt", Mode::Append).discard();
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "new.txt"));
}

#ifndef _WIN32

TEST(AppendFile, TakesBackWhatAFullDiskLeftHalfWritten) {
  TestFolder folder;
  const auto path = folder.path() / "a.txt";
  AppendFile file(path, Mode::CreateNew);
  file.appendLine("first");
  {
    FileSizeLimit full(10);
    EXPECT_THAT(errorOf([&] { file.appendLine("second line"); }), HasSubstr("a.txt"));
    EXPECT_EQ(readText(path), "first\n");
  }
  file.appendLine("third");  // there is room again
  EXPECT_EQ(readText(path), "first\nthird\n");
}

TEST(AppendFile, FullDevice) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  AppendFile file("/dev/full", Mode::Append);
  EXPECT_THAT(errorOf([&] { file.appendLine("line"); }), HasSubstr("/dev/full"));
}

#endif

}  // namespace
}  // namespace dmlcts

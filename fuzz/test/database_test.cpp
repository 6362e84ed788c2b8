#include "fuzz/database.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "conformance/cases/case_string.h"
#include "fuzz/generators.h"
#include "reports/append_file.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

class DatabaseTest : public testing::Test {
 protected:
  DatabaseTest()
      : folder_(fs::temp_directory_path() / ("dmlcts-database-" + std::to_string(getpid()))) {}
  ~DatabaseTest() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(DatabaseTest, keepsAFindingOnce) {
  Finding finding;
  finding.subject.testCase = fuzzCase(1, 0);
  finding.subject.before = {fuzzCase(1, 1), fuzzCase(1, 2)};
  finding.subject.relation = &relations()[1];
  finding.judgement = {Verdict::Fail, "two\nlines", {}};
  Database database(folder_);
  database.store(finding, "d3d12", "adapter");
  database.store(finding, "d3d12", "adapter");
  Database again(folder_);
  ASSERT_EQ(again.examples().size(), 1u);
  const Example example = again.examples().front();
  EXPECT_EQ(example.target, "d3d12");
  EXPECT_EQ(example.subject.testCase, finding.subject.testCase);
  EXPECT_EQ(example.subject.before, finding.subject.before);
  EXPECT_EQ(example.subject.relation, finding.subject.relation);
  again.remove(example);
  EXPECT_TRUE(Database(folder_).examples().empty());
}

TEST_F(DatabaseTest, clearsAwayWhatAKillLeft) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "a.case.1.partial") << "half";
  const AppendFile written(folder_ / "b.case.2.partial", AppendFile::Mode::CreateNew);
  EXPECT_TRUE(Database(folder_).examples().empty());
  EXPECT_FALSE(fs::exists(folder_ / "a.case.1.partial"));
  EXPECT_TRUE(fs::exists(folder_ / "b.case.2.partial")) << "that of another run at work";
}

TEST(Example, saysWhereItIsBroken) {
  EXPECT_THROW(parseExample("# nothing\n", "x"), std::runtime_error);
  try {
    parseExample("# target: t\nnonsense\n", "file");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("file:2: ")) << error.what();
  }
}

}  // namespace
}  // namespace dmlcts

#include "fuzz/database.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "conformance/language/case_string.h"
#include "conformance/test/test_folder.h"
#include "fuzz/generators.h"
#include "fuzz/record.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

class DatabaseTest : public testing::Test {
 protected:
  const TestFolder own_;
  const fs::path folder_ = own_.path();
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

TEST_F(DatabaseTest, clearsAwayOnlyWhatAKillLeft) {
  fs::create_directories(folder_);
  const std::string left = "dmlcts.01234567.partial";
  const std::string held = "dmlcts.89abcdef.partial";
  for (const std::string& name : {left, held, std::string("dmlcts.0123456g.partial")}) {
    fs::create_directory(folder_ / name);
    std::ofstream(folder_ / name / "a.case") << "half";
  }
  for (const char* name : {"thesis.partial", "dmlcts.00000000.partial"}) {
    std::ofstream(folder_ / name) << "kept";
  }
  const int lock = ::open((folder_ / held).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  EXPECT_TRUE(Database(folder_).examples().empty());
  ::close(lock);
  EXPECT_FALSE(fs::exists(folder_ / left));
  EXPECT_TRUE(fs::exists(folder_ / held / "a.case")) << "that of another run at work";
  for (const char* name :
       {"dmlcts.0123456g.partial", "thesis.partial", "dmlcts.00000000.partial"}) {
    EXPECT_TRUE(fs::exists(folder_ / name)) << "none of ours";
  }
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

TEST_F(DatabaseTest, skipsBadFilesByName) {
  fs::create_directories(folder_ / "folder.case");
  const std::string good = caseString(fuzzCase(1, 0)) + "\n";
  write(folder_ / "good.case", good);
  write(folder_ / "nonsense.case", "# target: t\nnonsense\n");
  write(folder_ / "relation.case", "# relation: none\n" + good);
  write(folder_ / "long.case", std::string(2 << 20, '#'));
  // Such a file once crashed every run.
  write(folder_ / "contradiction.case",
        "nonzero_coordinates level=4.0 input=i32:1x4x2x4 coords=2x1 fill=onebit total.coords=4\n");
  write(folder_ / "other.txt", "nonsense");
  const Database database(folder_);
  ASSERT_EQ(database.examples().size(), 1u);
  EXPECT_EQ(database.examples()[0].file, folder_ / "good.case");
  EXPECT_THAT(database.problems(),
              testing::ElementsAre(
                  testing::HasSubstr("contradiction.case:1: at level 4.0 the descriptor breaks"),
                  testing::HasSubstr("folder.case: "), testing::HasSubstr("long.case: "),
                  testing::HasSubstr("nonsense.case:2: column 1"),
                  testing::HasSubstr("relation.case:1: no such relation")));
}

// Handling of failures whose kind is in the database.
class KnownFailures : public DatabaseTest {
 protected:
  KnownFailures() {
    identity_.target = "wrong\x1b";
    options_.folder = folder_ / "report";
    options_.database = folder_ / "database";
  }

  static Finding findingOf(const Subject& subject) {
    Finding finding;
    finding.subject = subject;
    finding.judgement = kWrong;
    return finding;
  }
  static Subject subjectOf(const std::string& text) {
    return {parseCase(text), {}, nullptr, false};
  }

  inline static const Judgement kWrong{Verdict::Fail, "3 wrong elements", {}};
  const Subject old_ = subjectOf("nonzero_coordinates level=4.0 input=u8:1 coords=1x1");
  const Subject fresh_ = subjectOf("nonzero_coordinates level=4.0 input=u8:2 coords=2x1");
  const FuzzFailure failure_{fresh_, kWrong, 1};
  gpu::Identity identity_;
  FuzzOptions options_;
};

TEST_F(KnownFailures, hideNoNewOnesOfTheirKind) {
  Database(options_.database).store(findingOf(old_), identity_.target, "");
  FuzzRecord record(options_, identity_, nullptr);
  ASSERT_EQ(record.database().examples().size(), 1u);
  record.stop();  // so that failures with every number are due
  // The example fails again: that alone makes nothing known.
  record.verdict(old_, 0, kWrong, 0, kExampleFamily);
  EXPECT_TRUE(record.nextFailures(1).empty());
  // A failure of its kind is looked into; when it is the example once more, so is the next one.
  record.verdict(fresh_, 1, kWrong, 0, "fuzz.valid");
  record.verdict(fresh_, 2, kWrong, 0, "fuzz.valid");
  EXPECT_EQ(record.nextFailures(2).size(), 1u) << "one of a kind";
  record.finding(failure_, findingOf(old_), {});
  EXPECT_EQ(record.nextFailures(2).size(), 1u);
  record.finding(failure_, findingOf(fresh_), {});
  record.verdict(fresh_, 3, kWrong, 0, "fuzz.valid");
  EXPECT_TRUE(record.nextFailures(1).empty());
  const FuzzResult result = record.finish();
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].subject.testCase, fresh_.testCase);
  EXPECT_EQ(result.rediscoveries, 1);
  EXPECT_EQ(Database(options_.database).examples().size(), 2u);
}

TEST_F(KnownFailures, areRediscoveredOnlySoOften) {
  Database(options_.database).store(findingOf(old_), identity_.target, "");
  FuzzRecord record(options_, identity_, nullptr);
  record.stop();
  int investigated = 0;
  for (uint64_t number = 1; number < 50; ++number) {
    record.verdict(fresh_, number, kWrong, 0, "fuzz.valid");
    if (record.nextFailures(1).empty()) continue;
    record.finding(failure_, findingOf(old_), {});
    ++investigated;
  }
  EXPECT_EQ(investigated, 8);
}

}  // namespace
}  // namespace dmlcts

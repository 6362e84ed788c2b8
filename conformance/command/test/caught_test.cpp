// Outcomes that count as catching a mutant, and outcomes that do not.

#include <gmock/gmock.h>

#include "conformance/command/options/caught.h"

namespace dmlcts {
namespace {

using testing::HasSubstr;

const Signs kRight{.where = Signs::Where::Nowhere};
const Signs kDeath{.verdicts = {Verdict::Crash}, .kinds = {}, .where = Signs::Where::BetweenCases};

class CaughtTest : public testing::Test {
 protected:
  CaughtTest() {
    JournalHeader& header = record_.journal.headers.emplace_back();
    header.target = "mutant:any";
    header.tier = "smoke";
    header.planHash = "plan";
    header.maxLevel = "6.4";
    add(Verdict::Pass);
  }

  JournalEntry& add(Verdict verdict, Kinds kinds = {}) {
    JournalEntry entry;
    entry.op = "gather_nd";
    entry.level = "4.0";
    entry.type = "f32";
    entry.rank = 1;
    entry.family = "matrix";
    entry.executed = true;
    entry.caseString = "case " + std::to_string(record_.index.size());
    entry.verdict = verdict;
    entry.kinds = std::move(kinds);
    entry.rules = {"gather_nd.gather"};
    record_.index.push_back(record_.index.size());
    record_.journal.headerOf.push_back(0);
    record_.journal.entries.push_back(std::move(entry));
    return record_.journal.entries.back();
  }

  Catch wrong(const Signs& signs = {}) {
    treatAsWholeTier(record_.journal);
    return judgeWrong(signs, record_);
  }
  Catch right() {
    treatAsWholeTier(record_.journal);
    return judgeRight(record_);
  }

  Record record_;
};

TEST_F(CaughtTest, ByTheDeclaredVerdictAndKind) {
  EXPECT_FALSE(wrong().caught);
  EXPECT_THAT(wrong().how, HasSubstr("survived 1 case"));
  add(Verdict::Fail, {{"wrong-elements", 3}});
  const Catch caught = wrong();
  EXPECT_TRUE(caught.caught) << caught.how;
  EXPECT_EQ(caught.casesTaken, 2u);
  EXPECT_EQ(caught.verdict, "Fail");
  EXPECT_EQ(caught.onlyRules, std::vector<std::string>{"gather_nd.gather"});
  EXPECT_FALSE(right().caught);
}

TEST_F(CaughtTest, ByNoOtherKind) {
  add(Verdict::Fail, {{"wrong-elements", 3}, {"guard-bytes", 1}});
  EXPECT_FALSE(wrong().caught);
  EXPECT_THAT(wrong().how, HasSubstr("not what it declares (guard-bytes, wrong-elements)"));
}

TEST_F(CaughtTest, ByNoTimeoutAndNoInternalError) {
  for (Verdict verdict : {Verdict::Timeout, Verdict::InternalError, Verdict::Crash, Verdict::Flaky,
                          Verdict::NotSupported}) {
    record_.journal.entries.back().verdict = Verdict::Pass;
    add(verdict);
    EXPECT_FALSE(wrong().caught) << name(verdict);
    EXPECT_FALSE(right().caught) << name(verdict);
  }
  record_.journal.entries.back().verdict = Verdict::Timeout;
  EXPECT_TRUE(wrong({.verdicts = {Verdict::Timeout}, .kinds = {kind::kTimeout}}).caught);
}

TEST_F(CaughtTest, ByAFailureThatSaysNotOfWhatKindNever) {
  add(Verdict::Fail);
  EXPECT_FALSE(wrong().caught);
}

TEST_F(CaughtTest, ByAGateThatLeaks) {
  const Signs accepts{.kinds = {kind::kAccepted}};
  add(Verdict::NotAsked, {{"accepted", 1}}).levelOnly = true;
  EXPECT_FALSE(wrong(accepts).caught);
  EXPECT_TRUE(right().caught) << right().how;
  add(Verdict::Fail, {{"accepted", 1}}).levelOnly = true;
  EXPECT_TRUE(wrong(accepts).caught) << wrong(accepts).how;
  EXPECT_FALSE(right().caught);
}

TEST_F(CaughtTest, ByWhatHappensBetweenCases) {
  EXPECT_TRUE(right().caught) << right().how;
  EXPECT_FALSE(wrong(kDeath).caught) << "levels conform";
  record_.journal.workerFailures.push_back({"at exit", Verdict::Crash, "signal 11", ""});
  EXPECT_TRUE(wrong(kDeath).caught) << wrong(kDeath).how;
  EXPECT_THAT(wrong(kDeath).how, HasSubstr("at exit: Crash"));
  EXPECT_FALSE(right().caught);
}

TEST_F(CaughtTest, ByAnotherIdentity) {
  const Signs signs{.where = Signs::Where::InIdentity};
  EXPECT_FALSE(wrong(signs).caught);
  record_.refused = "adapter is a, not b";
  EXPECT_TRUE(wrong(signs).caught);
}

}  // namespace
}  // namespace dmlcts

// conformance/expectations/ compared with the packed journals of the runs that it was made from:
// each entry matches the cases that failed so, and no others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <sstream>

#include "conformance/cases/case_string.h"
#include "conformance/run/expectations.h"
#include "conformance/run/identity.h"
#include "reference/rules.h"
#include "reports/journal/packed_journal.h"

namespace dmlcts {
namespace {

using testing::IsEmpty;

const std::string kRoot = DMLCTS_SOURCE;

Journal unpacked(const std::string& sample) {
  const std::string command = "xz -dc " + kRoot + "/reports/samples/" + sample + ".packed.xz";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::vector<char> piece(1 << 16);
  for (size_t count = 0; pipe && (count = std::fread(piece.data(), 1, piece.size(), pipe.get()));) {
    text.append(piece.data(), count);
  }
  std::istringstream packed(text);
  std::istringstream lines(unpackJournal(packed, sample).lines);
  return parseJournal(lines, sample);
}

// What a verdict was before it was waived. The journals are of version 1, whose entries have no
// kinds; what it was is said in words behind the reason.
struct Failure {
  Verdict verdict;
  Kinds kinds;
  std::string finding;  // "reports/findings.md, 4"
};

Failure failureOf(const JournalEntry& entry) {
  // Then the word for what is NotAsked now.
  if (entry.verdict == Verdict::NotSupported) return {Verdict::NotAsked, {}, ""};
  if (entry.verdict != Verdict::Waived) return {entry.verdict, {}, ""};
  const size_t end = entry.message.find("; Fail: ");
  const size_t begin = entry.message.find("reports/findings.md");
  if (end == std::string::npos || begin > end) return {Verdict::InternalError, {}, ""};
  const std::string finding = entry.message.substr(begin, end - begin);
  const std::string words = entry.message.substr(end + 8);
  if (words.starts_with("accepted a descriptor"))
    return {Verdict::Fail, {{"accepted", 1}}, finding};
  unsigned long long wrong = 0;
  char rest = 0;
  if (std::sscanf(words.c_str(), "%llu wrong elements%c", &wrong, &rest) != 1) wrong = 0;
  return {Verdict::Fail, {{"wrong-elements", wrong}}, finding};
}

class ShippedExpectations : public testing::TestWithParam<const char*> {
 protected:
  Expectations shipped() const {
    return Expectations::read(kRoot + "/conformance/expectations/directml-1.15.4.json",
                              identityOf(journal_.headers.front()), "2026-11-22");
  }

  Journal journal_ = unpacked(GetParam());
};

TEST_P(ShippedExpectations, MatchTheFailingCasesAndNoOthers) {
  if (const std::string& law = journal_.headers.front().law; law != kLawEdition) {
    GTEST_SKIP() << "the sample was judged by the law of " << law << ", the expectations follow "
                 << kLawEdition;
  }
  Expectations known = shipped();
  size_t waived = 0;
  for (const JournalEntry& entry : journal_.entries) {
    const Failure failure = failureOf(entry);
    const Case testCase = parseCase(entry.caseString);
    std::string message;
    const Verdict verdict =
        known.apply(testCase, entry.caseString, failure.verdict, failure.kinds, message);
    const bool failed = failure.verdict == Verdict::Fail;
    ASSERT_EQ(verdict, failed ? Verdict::Waived : failure.verdict) << entry.caseString << message;
    if (!failed) continue;
    ++waived;
    EXPECT_THAT(message, testing::HasSubstr(failure.finding + ";")) << entry.caseString;
  }
  EXPECT_GT(waived, 20u);
  EXPECT_THAT(known.unmet(), IsEmpty());
}

// A target that leaves zeros instead of outputs, and 509 more behind them.
TEST_P(ShippedExpectations, DoNotCoverOneThatZeroesOutputsAndWhatLiesBehind) {
  Expectations known = shipped();
  size_t cases = 0;
  for (const JournalEntry& entry : journal_.entries) {
    if (!entry.executed || ++cases % 16 != 0) continue;
    std::string message;
    const Verdict verdict =
        known.apply(parseCase(entry.caseString), entry.caseString, Verdict::Fail,
                    {{"wrong-elements", 1}, {"guard-bytes", 509}}, message);
    ASSERT_EQ(verdict, Verdict::Fail) << entry.caseString;
  }
  EXPECT_GT(cases, 500u);
}

TEST_P(ShippedExpectations, DoNotCoverOneThatAcceptsEveryOverlappingOutput) {
  Expectations known = shipped();
  size_t cases = 0;
  for (const JournalEntry& entry : journal_.entries) {
    if (entry.executed || entry.rules != std::vector<std::string>{"tensor.output-no-overlap"}) {
      continue;
    }
    ++cases;
    std::string message;
    EXPECT_EQ(known.apply(parseCase(entry.caseString), entry.caseString, Verdict::Fail,
                          {{"accepted", 1}}, message),
              Verdict::Fail)
        << entry.caseString;
  }
  EXPECT_GT(cases, 0u);
}

// One element more than was seen of the worst case of each size class is not covered.
TEST(ShippedExpectationsForH200, AreAsTightAsWhatWasSeen) {
  const Journal journal = unpacked("h200-directml");
  Expectations known = Expectations::read(kRoot + "/conformance/expectations/directml-1.15.4.json",
                                          identityOf(journal.headers.front()), "2026-11-22");
  size_t exceeded = 0;
  for (const JournalEntry& entry : journal.entries) {
    Failure failure = failureOf(entry);
    if (!failure.kinds.contains("wrong-elements")) continue;
    ++failure.kinds["wrong-elements"];
    std::string message;
    exceeded += known.apply(parseCase(entry.caseString), entry.caseString, Verdict::Fail,
                            failure.kinds, message) == Verdict::Fail;
  }
  EXPECT_GE(exceeded, 6u);
}

INSTANTIATE_TEST_SUITE_P(DirectMl, ShippedExpectations,
                         testing::Values("h200-directml", "lavapipe-directml"),
                         [](const auto& sample) { return std::string(sample.param).substr(0, 4); });

}  // namespace
}  // namespace dmlcts

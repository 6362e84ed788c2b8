// Compares conformance/expectations/ with the archived journals that it comes from: each entry
// matches the cases that failed like that, and no others.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>

#include "conformance/language/case_string.h"
#include "conformance/run/expectations/expectations.h"
#include "conformance/run/target_identity.h"
#include "reference/rules.h"
#include "reports/journal/journal.h"

namespace dmlcts {
namespace {

using testing::IsEmpty;

const std::string kRoot = DMLCTS_SOURCE;

Journal kept(const std::string& sample) {
  const std::string command = "xz -dc " + kRoot + "/reports/" + sample + ".jsonl.xz";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::vector<char> piece(1 << 16);
  for (size_t count = 0; pipe && (count = std::fread(piece.data(), 1, piece.size(), pipe.get()));) {
    text.append(piece.data(), count);
  }
  std::istringstream lines(text);
  return parseJournal(lines, sample);
}

class ShippedExpectations : public testing::TestWithParam<const char*> {
 protected:
  Expectations shipped() const {
    return Expectations::read(kRoot + "/conformance/expectations/directml-1.15.4.json",
                              identityOf(journal_.headers.front()));
  }

  Journal journal_ = kept(GetParam());
};

// Applies to every journal that findings.md is built from.
class ShippedExpectationsOfFindings : public ShippedExpectations {};

TEST_P(ShippedExpectationsOfFindings, MatchTheFailingCasesAndNoOthers) {
  ASSERT_EQ(journal_.headers.front().specification, kSpecificationEdition);
  Expectations known = shipped();
  size_t waived = 0;
  for (const JournalEntry& entry : journal_.entries) {
    const bool failed = entry.verdict == Verdict::Fail;
    Judgement judgement = entry;
    known.apply(parseCase(entry.caseString), entry.caseString, judgement);
    ASSERT_EQ(judgement.verdict, failed ? Verdict::Waived : entry.verdict)
        << entry.caseString << judgement.message;
    waived += failed ? 1 : 0;
  }
  // The smoke tier has no input large enough for DirectML to fail.
  EXPECT_EQ(waived > 0, journal_.headers.front().tier != "smoke");
  if (waived > 0) {
    EXPECT_THAT(known.unmet(), IsEmpty());
  }
}

// A target that writes zeros instead of outputs, and 509 zero bytes after them.
TEST_P(ShippedExpectations, DoNotCoverOneThatZeroesOutputsAndWhatLiesBehind) {
  Expectations known = shipped();
  size_t cases = 0;
  for (const JournalEntry& entry : journal_.entries) {
    if (!entry.executed || ++cases % 16 != 0) continue;
    Judgement judgement{.verdict = Verdict::Fail,
                        .kinds = {{"wrong-elements", 1}, {"guard-bytes", 509}}};
    known.apply(parseCase(entry.caseString), entry.caseString, judgement);
    ASSERT_EQ(judgement.verdict, Verdict::Fail) << entry.caseString;
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
    Judgement judgement{.verdict = Verdict::Fail, .kinds = {{"accepted", 1}}};
    known.apply(parseCase(entry.caseString), entry.caseString, judgement);
    EXPECT_EQ(judgement.verdict, Verdict::Fail) << entry.caseString;
  }
  EXPECT_GT(cases, 0u);
}

std::string nameOf(const testing::TestParamInfo<const char*>& sample) {
  std::string name = sample.param;
  std::ranges::replace_if(name, [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(DirectMl, ShippedExpectations,
                         testing::Values("samples/h200-directml", "samples/lavapipe-directml"),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(DirectMl, ShippedExpectationsOfFindings,
                         testing::Values("samples/h200-directml", "samples/lavapipe-directml",
                                         "findings/h200-directml-large"),
                         nameOf);

}  // namespace
}  // namespace dmlcts

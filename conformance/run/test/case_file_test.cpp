// Files of a user's own cases, and schedules made of them.

#include "conformance/run/replay/case_file.h"

#include <gmock/gmock.h>

#include <sstream>

#include "conformance/language/case_string.h"
#include "conformance/run/journaling.h"
#include "conformance/run/schedule.h"
#include "conformance/test/thrown.h"

namespace dmlcts {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kGather = "gather_nd level=3.0 input=f32:5x7 indices=u32:1x2 output=1x1 seed=77";
const std::string kNonzero = "nonzero_coordinates level=4.0 input=f16:1x2x5 coords=10x3 seed=77";

std::vector<std::string> textsOf(const std::string& file) {
  std::istringstream in(file);
  std::vector<std::string> texts;
  for (const Case& each : parseCases(in, "F")) texts.push_back(caseString(each));
  return texts;
}

std::vector<std::string> textsOf(const Schedule& schedule) {
  std::vector<std::string> texts;
  for (const ScheduledCase& each : schedule.cases) texts.push_back(each.text);
  return texts;
}

TEST(CaseFile, ReadsLinesBetweenCommentsWithAnyLineEnd) {
  const auto both = ElementsAre(kGather, kNonzero);
  EXPECT_THAT(textsOf(kGather + "\n" + kNonzero + "\n"), both);
  EXPECT_THAT(textsOf("\xEF\xBB\xBF" + kGather + "\r\n\r\n" + kNonzero + "\r\n"), both);
  EXPECT_THAT(textsOf("# mine\n\n \t\n" + kGather + "  # seen twice\n #\n" + kNonzero), both);
}

TEST(Schedule, OfGivenCasesIsOfNoTier) {
  ScheduleOptions options;
  options.given = {parseCase(kNonzero), parseCase(kGather)};
  options.caseFile = "F";
  const Schedule schedule = chooseCases(options);
  EXPECT_THAT(textsOf(schedule), ElementsAre(kNonzero, kGather));
  for (const ScheduledCase& each : schedule.cases) EXPECT_EQ(each.testCase.family, "given");
  EXPECT_THAT(schedule.tierCases, IsEmpty());
  const JournalHeader header = makeHeader(options, schedule, {}, Strictness::Documents, "");
  EXPECT_EQ(header.tier, "");
  EXPECT_EQ(header.caseFile, "F");

  // Queries, level and shards choose among them.
  options.queries = {"gather_nd"};
  EXPECT_THAT(textsOf(chooseCases(options)), ElementsAre(kGather));
  options.queries = {kNonzero};
  EXPECT_THAT(textsOf(chooseCases(options)), ElementsAre(kNonzero));
  options.queries.clear();
  options.level = "4.0";
  EXPECT_THAT(textsOf(chooseCases(options)), ElementsAre(kNonzero));
  options.level.reset();
  options.shardCount = 2;
  const Schedule first = chooseCases(options);
  options.shardIndex = 1;
  EXPECT_EQ(first.hash, chooseCases(options).hash);
  EXPECT_EQ(first.cases.size(), 1);
  EXPECT_NE(textsOf(first), textsOf(chooseCases(options)));

  options.queries = {"gather_nd level=6.*"};
  EXPECT_THAT(thrown<std::invalid_argument>([&] { chooseCases(options); }),
              HasSubstr("no case of F matches"));
}

TEST(Schedule, AQueryThatIsACaseStringRunsThatCase) {
  ScheduleOptions options;
  options.tier = "smoke";
  options.queries = {kGather};
  const Schedule schedule = chooseCases(options);
  EXPECT_THAT(textsOf(schedule), ElementsAre(kGather));
  EXPECT_EQ(schedule.cases[0].testCase.family, "given");
  EXPECT_THAT(schedule.tierCases, IsEmpty());
  EXPECT_EQ(makeHeader(options, schedule, {}, Strictness::Documents, "").tier, "");

  // Beside the tier's cases, once, with the seed that it says.
  options.queries = {"gather_nd family=documents", kGather, kGather + " fill=random dims=2,2"};
  options.seed = 3;
  const Schedule mixed = chooseCases(options);
  EXPECT_GT(mixed.cases.size(), 1);
  EXPECT_EQ(std::ranges::count(textsOf(mixed), kGather), 1);

  // One of the tier is of the tier.
  options.seed = 0;
  options.queries = {"family=documents"};
  const std::string known = chooseCases(options).cases[0].text;
  options.queries = {known};
  const Schedule ofTier = chooseCases(options);
  EXPECT_THAT(textsOf(ofTier), testing::Contains(known));
  EXPECT_TRUE(ofTier.ofTier);
  EXPECT_FALSE(ofTier.tierCases.empty());

  options.queries = {kGather};
  options.level = "4.0";
  EXPECT_THROW(chooseCases(options), std::invalid_argument);
  options.level.reset();
  options.queries = {kNonzero + " expect=reject(nonzero_coordinates.rank)"};
  EXPECT_THAT(thrown<std::invalid_argument>([&] { chooseCases(options); }),
              HasSubstr("but at level 4.0 the descriptor does not break"));
}

}  // namespace
}  // namespace dmlcts

// Expectations proposed from runs.

#include <gmock/gmock.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "conformance/facts/query.h"
#include "conformance/language/case_string.h"
#include "conformance/run/expectations/expectations.h"
#include "reports/journal/input_file.h"
#include "reports/test/sample_journals.h"

namespace dmlcts {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kGather =
    "gather_nd level=3.0 input=f16:1x4 indices=u32:1x1 output=1x4 dims=2,2 fill=ramp";
const std::string kOverlapping =
    "gather_nd level=6.4 input=u8:2x3 indices=u32:2x1 output=2x3 fill=zeros "
    "strides.output=4,2 expect=reject(tensor.output-no-overlap)";

gpu::Identity directml(const std::string& implementation) {
  gpu::Identity identity;
  identity.target = "directml";
  identity.implementation = implementation;
  return identity;
}

Verdict applied(Expectations& known, const JournalEntry& entry, const Kinds& kinds) {
  Case testCase = parseCase(entry.caseString);
  testCase.family = entry.family;
  Judgement judgement = entry;
  judgement.kinds = kinds;
  known.apply(testCase, entry.caseString, judgement);
  return judgement.verdict;
}

TEST(KnownFailures, WaiveWhatTheyWereMadeFromAndNoMore) {
  Journal journal;
  journal.headers.emplace_back().target = "directml";
  const auto add = [&](const std::string& text, Verdict verdict, Kinds kinds,
                       const std::string& message) {
    JournalEntry& entry = journal.entries.emplace_back();
    entry.caseString = caseString(parseCase(text));
    entry.op = text.substr(0, text.find(' '));
    entry.executed = parseCase(text).expect == Expect::Execute;
    entry.verdict = verdict;
    entry.kinds = std::move(kinds);
    entry.message = message;
    if (!entry.executed) entry.rules = entry.violated = {"tensor.output-no-overlap"};
    journal.headerOf.push_back(0);
  };
  const auto seeded = [](int seed) { return kGather + " seed=" + std::to_string(seed); };
  add(kGather, Verdict::Fail, {{"wrong-elements", 3}, {"guard-bytes", 509}, {"padding-bytes", 2}},
      "3 wrong elements");
  add(kOverlapping, Verdict::Fail, {{"accepted", 1}}, "accepted it");
  add(seeded(1), Verdict::Crash, {{"crash", 1}}, "signal 11");
  add(seeded(2), Verdict::NotSupported, {}, "types: none");
  add(seeded(3), Verdict::Flaky, {{"crash", 1}}, "Crash once");
  add(seeded(4), Verdict::Timeout, {}, "no answer");
  add(seeded(5), Verdict::Pass, {}, "");
  const std::string text = knownFailures({&journal, 1});
  const auto entries = nlohmann::json::parse(text)["expectations"];
  ASSERT_EQ(entries.size(), 7u) << text;
  EXPECT_EQ(entries[0]["verdict"], "NotSupported");
  EXPECT_EQ(entries[1]["query"], "gather_nd") << "Flaky";
  EXPECT_EQ(entries[1]["sometimes"], true);
  EXPECT_EQ(entries[2]["kinds"], nlohmann::json::parse(R"(["guard-bytes"])"));
  EXPECT_EQ(entries[3]["kinds"].size(), 2u);
  EXPECT_EQ(entries[4]["rule"], "tensor.output-no-overlap");

  Expectations known = Expectations::parse(text, "known.json", directml("1.15.4"));
  for (const JournalEntry& entry : journal.entries) {
    const bool passed = entry.verdict == Verdict::Pass;
    EXPECT_EQ(applied(known, entry, entry.kinds), passed ? Verdict::Pass : Verdict::Waived)
        << entry.caseString;
    Kinds more = entry.kinds;
    more["malformed-answer"] = 1;
    if (!entry.kinds.empty()) {
      EXPECT_EQ(applied(known, entry, more), entry.verdict);
    }
  }
  EXPECT_THAT(known.unmet(), IsEmpty());

  journal.entries.front().kinds.clear();
  EXPECT_THROW(knownFailures({&journal, 1}), InputError);
}

// Journals of 0.2.0 have sequences of calls, which run --expectations refuses as cases.
TEST(KnownFailures, RefuseCasesThatNoExpectationCanName) {
  Journal journal;
  journal.headers.emplace_back().target = "directml";
  journal.headerOf.push_back(0);
  JournalEntry& entry = journal.entries.emplace_back();
  entry.caseString = "operator 0 gather_nd level=4.0; create 0";
  entry.verdict = Verdict::Fail;
  entry.kinds = {{"wrong-elements", 1}};
  try {
    knownFailures({&journal, 1});
    FAIL() << "a draft that cannot be read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("another version"));
    EXPECT_THAT(error.what(), testing::HasSubstr(entry.caseString));
  }
}

// Returns a run of them in which cases matching the query fail, except every n-th.
Journal runWithFault(const std::string& fault, size_t nth, const std::string& implementation) {
  const Query query(fault);
  Journal journal;
  JournalHeader& header = journal.headers.emplace_back();
  header.target = "directml";
  header.implementation = implementation;
  size_t i = 0;
  for (const auto& [testCase, passed] : passedCases()) {
    JournalEntry& entry = journal.entries.emplace_back(passed);
    journal.headerOf.push_back(0);
    if (!query.matches(testCase) || ++i % nth == 0) continue;
    entry.verdict = Verdict::Fail;
    entry.kinds = {{"wrong-elements", 1 + i % 9}};
    entry.message = "wrong elements";
  }
  return journal;
}

// Applies expectations to the run that they come from: all failures are waived, nothing else
// changes.
void expectReproduced(const std::string& text, const Journal& journal) {
  Expectations known =
      Expectations::parse(text, "known.json", directml(journal.headers[0].implementation));
  for (const JournalEntry& entry : journal.entries) {
    ASSERT_EQ(applied(known, entry, entry.kinds),
              entry.verdict == Verdict::Pass ? Verdict::Pass : Verdict::Waived)
        << entry.caseString << ": " << entry.message;
  }
  EXPECT_THAT(known.unmet(), IsEmpty());
  EXPECT_EQ(known.unused(), "");
}

TEST(KnownFailures, AFaultIsOneEntry) {
  const Journal journal = runWithFault("gather_nd has=negative-index", SIZE_MAX, "1.15.4");
  const std::string text = knownFailures({&journal, 1});
  const auto entries = nlohmann::json::parse(text)["expectations"];
  ASSERT_EQ(entries.size(), 1u) << text;
  EXPECT_EQ(entries[0]["query"], "gather_nd has=negative-index");
  EXPECT_FALSE(entries[0].contains("sometimes"));
  EXPECT_EQ(entries[0]["when"]["implementation"], "=1.15.4");
  expectReproduced(text, journal);
}

TEST(KnownFailures, AFaultIsOfTheShaderModelThatHasIt) {
  const std::string fault = "gather_nd has=negative-index";
  std::vector<Journal> journals{runWithFault(fault, SIZE_MAX, "kernels"),
                                runWithFault(fault, 1, "kernels")};
  journals[0].headers[0].shaderModel = "6.0";
  journals[1].headers[0].shaderModel = "5.1";
  const auto entries = nlohmann::json::parse(knownFailures(journals))["expectations"];
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0]["when"]["shaderModel"], "=6.0");
}

TEST(KnownFailures, AFaultThatDoesNotAlwaysShowSaysSo) {
  const Journal journal = runWithFault("gather_nd has=negative-index", 7, "1.15.4");
  const std::string text = knownFailures({&journal, 1});
  const auto entries = nlohmann::json::parse(text)["expectations"];
  ASSERT_LE(entries.size(), 10u);
  EXPECT_TRUE(entries[0].contains("sometimes")) << text;
  expectReproduced(text, journal);
}

// Returns a run in which every `nth` case of the query fails, from the `seed`th on, most once only.
Journal runByChance(const std::string& query, size_t seed, size_t nth) {
  const Query of(query);
  Journal journal;
  journal.headers.emplace_back().target = "directml";
  size_t i = seed;
  for (const auto& [testCase, passed] : passedCases()) {
    JournalEntry& entry = journal.entries.emplace_back(passed);
    journal.headerOf.push_back(0);
    if (!entry.executed || !of.matches(testCase) || ++i % nth != 0) continue;
    entry.verdict = i % 3 == 0 ? Verdict::Fail : Verdict::Flaky;
    entry.kinds = {{"wrong-elements", 2}};
    entry.message = "2 wrong elements";
    if (entry.verdict == Verdict::Flaky) {
      entry.message = "Fail in a message of 9 cases, not again: " + entry.message;
    } else {
      entry.violated = {"nonzero_coordinates.order"};
    }
  }
  return journal;
}

// Covers the next run, too, in which other cases fail, and no fault elsewhere.
TEST(KnownFailures, OfChanceAboveASizeSayTheSize) {
  const std::string large = "nonzero_coordinates elements>=64";
  const Journal first = runByChance(large, 0, 2);
  const std::string text = knownFailures({&first, 1});
  const auto entries = nlohmann::json::parse(text)["expectations"];
  ASSERT_EQ(entries.size(), 1u) << text;
  EXPECT_THAT(std::string(entries[0]["query"]), testing::HasSubstr("elements>=")) << text;
  EXPECT_EQ(entries[0]["sometimes"], true);
  for (size_t seed : {0, 1}) expectReproduced(text, runByChance(large, seed, 2));
}

TEST(KnownFailures, OfChanceCoverTheNextRun) {
  const auto runOfSeed = [](size_t seed) { return runByChance("nonzero_coordinates", seed, 5); };
  const Journal first = runOfSeed(0);
  const std::string text = knownFailures({&first, 1});
  const auto entries = nlohmann::json::parse(text)["expectations"];
  ASSERT_EQ(entries.size(), 1u) << text;
  EXPECT_EQ(entries[0]["query"], "rule=nonzero_coordinates.count");  // whatever is executed
  EXPECT_EQ(entries[0]["rule"], "call.repeatable");
  EXPECT_EQ(entries[0]["verdict"], "Fail");
  EXPECT_EQ(entries[0]["sometimes"], true);
  for (size_t seed : {0, 1, 2}) expectReproduced(text, runOfSeed(seed));
}

// A run that asked knows better than the number of Flaky cases.
TEST(KnownFailures, OfWhatARunAskedFollowItsAnswer) {
  Journal journal = runWithFault("gather_nd has=negative-index", SIZE_MAX, "1.15.4");
  const auto failing = std::ranges::find(journal.entries, Verdict::Fail, &JournalEntry::verdict);
  JournalInvestigation& asked = journal.investigations.emplace_back();
  asked.caseString = failing->caseString;
  asked.failure = failureKind(*failing);
  asked.when.occurs = Occurs::AfterRequests;
  const auto after = nlohmann::json::parse(knownFailures({&journal, 1}))["expectations"];
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0]["query"], "gather_nd");
  EXPECT_EQ(after[0]["sometimes"], true);
  asked.when.occurs = Occurs::Always;
  const auto always = nlohmann::json::parse(knownFailures({&journal, 1}))["expectations"];
  ASSERT_EQ(always.size(), 1u);
  EXPECT_EQ(always[0]["query"], "gather_nd has=negative-index");
}

TEST(KnownFailures, ALimitOfTheTargetIsOneEntry) {
  Journal journal;
  journal.headers.emplace_back().target = "directml";
  size_t i = 0;
  for (const auto& [testCase, passed] : passedCases()) {
    JournalEntry& entry = journal.entries.emplace_back(passed);
    journal.headerOf.push_back(0);
    if (++i % 7 != 0) continue;  // for no reason that a query tells
    entry.verdict = Verdict::NotSupported;
    entry.message = "no such call";
  }
  const std::string text = knownFailures({&journal, 1});
  const auto entries = nlohmann::json::parse(text)["expectations"];
  ASSERT_EQ(entries.size(), 1u) << text;
  EXPECT_EQ(entries[0]["message"], "no such call");
  expectReproduced(text, journal);
}

TEST(KnownFailures, TheSameFaultOfAllVersionsIsOneEntry) {
  const std::vector<Journal> journals{
      runWithFault("gather_nd has=negative-index", SIZE_MAX, "1.9.1"),
      runWithFault("gather_nd has=negative-index", SIZE_MAX, "1.15.4")};
  const std::string text = knownFailures(journals);
  const auto entries = nlohmann::json::parse(text)["expectations"];
  ASSERT_EQ(entries.size(), 1u) << text;
  EXPECT_EQ(entries[0]["when"]["implementation"], ">=1.9.1 <=1.15.4");
  for (const Journal& journal : journals) expectReproduced(text, journal);
  EXPECT_EQ(Expectations::parse(text, "known.json", directml("1.16.0")).size(), 0u);
}

// Returns the "implementation" of each proposed entry, given which versions have the fault.
std::vector<std::string> proposed(const std::vector<std::pair<const char*, bool>>& runs) {
  std::vector<Journal> journals;
  for (const auto& [version, fails] : runs) {
    journals.push_back(
        runWithFault(fails ? "gather_nd has=negative-index" : "level=9.*", SIZE_MAX, version));
  }
  const std::string text = knownFailures(journals);
  for (const Journal& journal : journals) expectReproduced(text, journal);
  std::vector<std::string> ranges;
  const auto entries = nlohmann::json::parse(text)["expectations"];
  for (const auto& entry : entries) ranges.push_back(entry["when"]["implementation"]);
  return ranges;
}

TEST(KnownFailures, AFaultOfSomeVersionsHasTheirRange) {
  EXPECT_THAT(proposed({{"1.13.1", false}, {"1.14.1", true}, {"1.15.1", true}, {"1.15.2", false}}),
              ElementsAre(">=1.14.1 <1.15.2"));
  EXPECT_THAT(proposed({{"1.9.1", false}, {"1.13.1", true}}), ElementsAre("=1.13.1"));
  EXPECT_THAT(proposed({{"1.13.1", true}, {"1.14.1", false}, {"1.15.1", true}}),
              ElementsAre("=1.13.1", "=1.15.1"));
}

}  // namespace
}  // namespace dmlcts

#include "reports/compare/findings.h"

#include <gmock/gmock.h>

#include <sstream>

#include "conformance/test/thrown.h"
#include "reports/journal/input_file.h"
#include "reports/render/writers.h"
#include "reports/test/sample_journals.h"

// Each case goes to its finding, and unsuitable journals are refused.

namespace dmlcts {
namespace {

using ::testing::HasSubstr;

JournalEntry entry(const std::string& caseString, Verdict verdict, std::vector<std::string> rules,
                   std::vector<std::string> violated = {}) {
  JournalEntry made = executed(caseString, verdict);
  made.op = caseString.substr(0, caseString.find(' '));
  made.rules = std::move(rules);
  made.violated = std::move(violated);
  if (verdict == Verdict::Fail) made.kinds = {{"wrong-elements", 2}};
  return made;
}

const std::string kSmall = "nonzero_coordinates level=4.0 input=u8:4 coords=4x1";
const std::string kLarge = "nonzero_coordinates level=4.0 input=u8:100 coords=100x1";
const std::string kFloats = "nonzero_coordinates level=4.0 input=f32:4 coords=4x1";

Journal journal(std::vector<JournalEntry> entries) {
  JournalHeader header;
  header.target = "directml";
  header.runtime = "Wine 10.0";
  header.specification = std::string(kSpecificationEdition);
  Journal made = journalOf(std::move(entries), header);
  made.name = "run.jsonl";
  return made;
}

Journal sample() {
  auto untouched = entry(kSmall + " seed=1", Verdict::Pass, {"nonzero_coordinates.count"});
  untouched.observations = {{"tensor.untouched", 3}};
  return journal({
      entry(kSmall, Verdict::Pass, {"nonzero_coordinates.count", "nonzero_coordinates.order"}),
      entry(kLarge, Verdict::Fail, {"nonzero_coordinates.count", "nonzero_coordinates.order"}),
      entry(kLarge + " seed=1", Verdict::Fail, {"nonzero_coordinates.count"}),
      entry(kFloats, Verdict::Arguable, {"nonzero_coordinates.count"},
            {"nonzero_coordinates.float32-denormals", "nonzero_coordinates.float32-denormals"}),
      untouched,
  });
}

Findings gathered(const Journal& of, std::span<const FindingNote> notes = {}) {
  return gatherFindings(1, [&](size_t) { return of; }, notes);
}

TEST(FindingsTest, PartsFollowTheStandingOfWhatWasBroken) {
  const Journal of = sample();
  const Findings findings = gathered(of);
  ASSERT_EQ(findings.all.size(), 3u);
  const Deviation& failed = findings.all[0];
  EXPECT_EQ(failed.part, Deviation::Part::BreaksASentence);
  EXPECT_EQ(failed.id, "nonzero_coordinates.wrong-elements");
  EXPECT_EQ(failed.rule.id, "nonzero_coordinates.count");  // common to both cases
  EXPECT_FALSE(failed.rule.broken);
  EXPECT_EQ(failed.rows[0].found, 2u);
  EXPECT_EQ(failed.rows[0].of, 2u);
  EXPECT_EQ(failed.shortest->caseString, kLarge);
  EXPECT_EQ(findings.all[1].part, Deviation::Part::DocumentsAreSilent);
  EXPECT_EQ(findings.all[1].rule.id, "nonzero_coordinates.float32-denormals");
  EXPECT_EQ(findings.all[1].rows[0].found, 1u);  // though its case breaks the rule twice
  EXPECT_EQ(findings.all[1].rows[0].of, 1u);     // though no case exercises it
  EXPECT_EQ(findings.all[2].part, Deviation::Part::DocumentsAreSilent);
}

TEST(FindingsTest, NotesChooseTheirCasesAndAreCitedWithTheirSources) {
  const std::vector<FindingNote> notes{
      {"large",
       "Large inputs",
       "nonzero_coordinates.count",
       Query("nonzero_coordinates elements>=100"),
       false,
       {{"It is cut.", "run"}},
       {},
       {{"Say so.", "nonzero_coordinates.count"}}},
      {"rank-1", "One dimension", "", Query("* rank=1"), true, {}, {}, {}}};
  const Journal of = sample();
  const Findings findings = gathered(of, notes);
  ASSERT_EQ(findings.all.size(), 4u);
  EXPECT_EQ(findings.all[0].id, "large");
  EXPECT_EQ(findings.all[0].rows[0].of, 2u);
  EXPECT_EQ(findings.all[3].part, Deviation::Part::Limit);
  EXPECT_EQ(findings.all[3].rows[0].found, 5u);
  std::ostringstream text;
  writeFindings(text, findings, {{"large", {"findings/large.cpp"}}});
  EXPECT_THAT(text.str(), HasSubstr("It is cut. (`run`)"));
  EXPECT_THAT(text.str(), HasSubstr("[`large.cpp`](findings/large.cpp)"));
  EXPECT_THAT(text.str(), HasSubstr("Wine's translation"));
}

TEST(FindingsTest, NotesWithAQueryExplainAllThatTheirCasesBreak) {
  const Query query("* elements>=100");
  const std::vector<FindingNote> notes{
      {"large", "Large inputs", "nonzero_coordinates.count", query, false, {}, {}, {}}};
  const std::vector<std::string> both{"nonzero_coordinates.count", "nonzero_coordinates.order"};
  const Journal of = journal({entry(kLarge, Verdict::Fail, both, both)});
  const Findings findings = gathered(of, notes);
  ASSERT_EQ(findings.all.size(), 1u);
  EXPECT_EQ(findings.all[0].rows[0].found, 1u);
}

TEST(FindingsTest, RefusesNotesThatMatchNothingOrHaveNoSource) {
  const Journal of = sample();
  const auto refusal = [&](const FindingNote& note) {
    return thrown<InputError>([&] { gathered(of, {&note, 1}); });
  };
  EXPECT_THAT(refusal({"none", "None", "", Query("gather_nd"), false, {}, {}, {}}),
              HasSubstr("matches no case"));
  EXPECT_THAT(refusal({"all", "All", "", std::nullopt, true, {{"They say.", "hearsay"}}, {}, {}}),
              HasSubstr("hearsay"));
}

TEST(FindingsTest, RefusesFindingsWithoutANote) {
  const Journal of = sample();
  const FindingNote other{"other", "T", "", Query("*"), true, {}, {}, {}};
  EXPECT_THAT(thrown<InputError>([&] { requireNotes(gathered(of, {&other, 1})); }),
              HasSubstr("has no note"));
}

TEST(FindingsTest, RefusesJournalsThatAreNotOfTheDocumentsSpecification) {
  const auto refused = [](const char* why, auto change) {
    Journal of = sample();
    change(of);
    EXPECT_THAT(thrown<InputError>([&] { gathered(of); }), HasSubstr(why));
  };
  refused("strict", [](Journal& of) { of.headers[0].strict = true; });
  refused("specification edition is 2020-01",
          [](Journal& of) { of.headers[0].specification = "2020-01"; });
  refused("uncommitted changes",
          [](Journal& of) { of.headers[0].suiteCommit = "82f27ae19e29-dirty"; });
  refused("had expectations", [](Journal& of) { of.entries[0].verdict = Verdict::Waived; });
  refused("is incomplete", [](Journal& of) { of.headers[0].plannedCases = 9; });
}

}  // namespace
}  // namespace dmlcts

// The sentence about a run, its remarks and its exit status.

#include <gmock/gmock.h>

#include "conformance/language/plan_hash.h"
#include "reports/summary/wording.h"
#include "reports/test/few_cases.h"

namespace dmlcts {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using enum Verdict;

// The journal of a whole run of DirectML on a named device.
Journal ofDirectML(std::vector<JournalEntry> made) {
  Journal journal = wholeRun(std::move(made));
  JournalHeader& header = journal.headers[0];
  header.target = "directml";
  header.implementation = "1.15.4";
  header.adapter = "NVIDIA H200";
  header.driver = "31.0.13.4052";
  header.runtime = "Wine 10.0";
  header.maxLevel = "6.4";
  return journal;
}

constexpr const char* kDirectML =
    "DirectML 1.15.4 on NVIDIA H200, driver 31.0.13.4052 (as Wine numbers it), Wine 10.0: ";

TEST(Sentence, NamesWhatHoldsAndWhatItDependsOn) {
  JournalEntry arguable = entry(1, Arguable);
  arguable.violated = {"gather_nd.nan-payload"};
  const Report report = of({ofDirectML({entry(0, Pass), arguable, levelOnly(2, NotAsked)})});
  EXPECT_EQ(conclude(report).sentence,
            std::string(kDirectML) +
                "gather_nd 4.0 conforms on the smoke tier; 1 case not asked; 1 case arguable; "
                "other levels not run; rules of 2026-11");
  EXPECT_THAT(everyForm(report), eachIs(HasSubstr(conclude(report).sentence)));
}

// In every form, and an error of a strict run.
TEST(Sentence, NamesTheFaultThatTheTargetAvoids) {
  Journal journal = ofDirectML(entries({Pass, Pass}));
  journal.headers[0].limits = {{"driver fault avoided", "its wave operations are wrong: thread 0"}};
  const std::string said = "avoids a fault of its driver: its wave operations are wrong: thread 0";
  const Report report = of({journal});
  EXPECT_EQ(exitStatus(report), 0);
  EXPECT_NE(conclude(report).tone, Conclusion::Tone::Good);
  EXPECT_THAT(conclude(report).sentence, HasSubstr("; " + said + "; rules of"));
  EXPECT_THAT(everyForm(report), eachIs(HasSubstr(said)));
  journal.headers[0].strict = true;
  const Report strict = of({journal});
  EXPECT_EQ(exitStatus(strict), 1);
  EXPECT_THAT(conclude(strict).headline, HasSubstr(said));
}

TEST(Remarks, NameTheRuleOfArguableCases) {
  JournalEntry arguable = entry(1, Arguable);
  arguable.violated = {"gather_nd.nan-payload"};
  const Report report = of({ofDirectML({entry(0, Pass), arguable})});
  EXPECT_THAT(conclude(report).remarks, Contains("1 case arguable by gather_nd.nan-payload."));
}

TEST(Remarks, EndInOneFullStop) {
  Journal journal = ofDirectML(entries({Pass, NotSupported}));
  journal.entries[1].message = "There is no such type.";
  journal.workerFailures = {{"at exit", Crash, "It fell.", ""}};
  const Report report = of({journal});
  EXPECT_THAT(conclude(report).remarks,
              AllOf(Contains(HasSubstr("There is no such type.")), Contains(HasSubstr("It fell.")),
                    Each(Not(HasSubstr("..")))));
}

// It passed: no rule is at fault.
TEST(Causes, OfAnUnexpectedPassNameNoRule) {
  const Report report = of({ofDirectML(entries({Pass, UnexpectedPass, UnexpectedPass}))});
  ASSERT_FALSE(report.clusters.empty());
  EXPECT_EQ(ruleTextOf(report, report.clusters[0]), "");
}

TEST(Remarks, NameALevelThatIsNewerThanTheKnownOnes) {
  Journal journal = ofDirectML(entries({Pass, Pass}));
  journal.headers[0].limits = {{"highest level reported", "7.0"}};
  EXPECT_THAT(
      everyForm(of({journal})),
      eachIs(HasSubstr("highest level is 7.0, which this suite does not know: asked up to 6.4")));
}

TEST(Sentence, SaysWhichLevelsDoNotConformAndWhatIsKnown) {
  JournalEntry broken = entry(1, Fail);
  EXPECT_EQ(conclude(of({ofDirectML({entry(0, Pass), broken})})).sentence,
            std::string(kDirectML) +
                "does not conform at gather_nd 4.0: 1 of 2 cases fails; rules of 2026-11");
  broken.violated = {"gather_nd.rank"};
  JournalEntry known = entry(2, Waived);
  known.violated = {"gather_nd.sizes"};
  known.kinds = {{"accepted", 1}};
  EXPECT_THAT(conclude(of({ofDirectML({entry(0, Pass), broken, known})})).sentence,
              HasSubstr("2 rules violated in 2 of 3 cases, 1 known, 1 new; rules of"));
  Journal strict = ofDirectML({entry(0, Pass), known});
  strict.headers[0].strict = true;
  EXPECT_THAT(
      conclude(of({strict})).sentence,
      HasSubstr("1 rule violated in 1 of 2 cases, all known; 0 new; rules of 2026-11, strict"));
}

TEST(Sentence, ClaimsNothingThatIsNotShown) {
  JournalEntry lacking = entry(1, Waived);  // a waived NotSupported case
  for (const JournalEntry& other : {entry(1, NotSupported), entry(1, UnexpectedPass),
                                    entry(1, InternalError), entry(1, Vacuous), lacking}) {
    const char* missing =
        other.verdict == InternalError ? "; 1 of 2 planned cases have a verdict" : "";
    EXPECT_EQ(conclude(of({ofDirectML({entry(0, Pass), other})})).sentence,
              std::string(kDirectML) + "no level is shown to conform: 1 of 2 cases passes" +
                  missing + "; rules of 2026-11")
        << name(other.verdict);
  }
  EXPECT_THAT(
      conclude(of({ofDirectML({entry(0, InternalError), entry(1, InternalError)})})).sentence,
      HasSubstr("; 0 of 2 planned cases have a verdict; "));
  Journal filtered = ofDirectML(entries({Pass, Pass}));
  filtered.headers[0].queries = {"gather_nd"};
  EXPECT_THAT(
      conclude(of({filtered})).sentence,
      HasSubstr("no level is shown to conform: 2 of 2 cases pass, chosen by queries; rules of"));
  filtered.headers[0].queries.clear();
  filtered.headers[0].mode = "placed";
  filtered.headers[0].levelFilter = "4.*";
  EXPECT_THAT(conclude(of({filtered})).sentence, HasSubstr(", chosen by --mode and --level; "));
  Journal cut = ofDirectML(entries({Pass, Pass}));
  cut.headers[0].plannedCases = 3;
  EXPECT_THAT(conclude(of({cut})).sentence, HasSubstr("no level is shown to conform"));
  EXPECT_THAT(conclude(of({})).sentence, HasSubstr("no case was run"));
}

TEST(ExitStatus, OfEveryVerdict) {
  for (Verdict verdict : kVerdicts) {
    Totals totals;
    totals[Pass] = 5;
    ++totals[verdict];
    const bool fine = verdict == Pass || verdict == Arguable || verdict == NotAsked ||
                      verdict == Skipped || verdict == Waived || verdict == Vacuous;
    EXPECT_EQ(exitStatus(totals), fine ? 0 : verdict == InternalError ? 3 : 1) << name(verdict);
    EXPECT_EQ(exitStatus(totals, 1), verdict == InternalError ? 3 : 1) << name(verdict);
    ++totals[InternalError];
    EXPECT_EQ(exitStatus(totals), 3) << name(verdict);
  }
}

// One exit status everywhere: a gap fails every form of a report.
TEST(ExitStatus, OfWhatIsMissing) {
  Journal journal = wholeRun(entries({Pass, Pass}));
  const auto shortfall = [&] {
    const Report report = of({journal});
    EXPECT_EQ(exitStatus(report), shortfallOf(report).empty() ? 0 : 1);
    return shortfallOf(report);
  };
  EXPECT_EQ(shortfall(), "");
  JournalHeader& header = journal.headers[0];
  header.plannedCases = 5;
  EXPECT_EQ(shortfall(), "3 of 5 planned cases without a verdict");
  const Conclusion conclusion = conclude(of({journal}));
  EXPECT_EQ(conclusion.headline,
            "2 cases so far, all as expected; 3 of 5 planned cases without a verdict.");
  EXPECT_THAT(conclusion.sentence, HasSubstr("; 2 of 5 planned cases have a verdict; "));
  EXPECT_THAT(conclusion.remarks, Contains(HasSubstr("2 verdicts of 5 planned")));
  header.shardCount = 2;
  header.plannedCases = 2;
  EXPECT_EQ(shortfall(), "") << "the other shards' journals are elsewhere";
  header.shardCount = 1;
  journal.cutLine = "{";
  EXPECT_EQ(shortfall(), "the journals are not one whole run");
  journal.cutLine.reset();
  header.planHash = "set-0000000000000000";
  EXPECT_EQ(shortfall(), "the cases are not those of the plan");
  PlanHash hash;
  for (const JournalEntry& each : journal.entries) hash.add(each.caseString);
  header.planHash = hash.text();
  EXPECT_EQ(shortfall(), "");
  for (Verdict unasked : {Skipped, NotAsked}) {
    journal.entries[0].verdict = unasked;
    EXPECT_EQ(shortfall(), "") << name(unasked);
    journal.entries[1].verdict = unasked;
    EXPECT_EQ(shortfall(), "nothing was asked of the target") << name(unasked);
    journal.entries[1].verdict = Pass;
  }
  journal.headers.push_back(header);
  journal.headers[1].driver = "another";
  EXPECT_EQ(shortfall(), "the journals disagree on what was tested");
}

TEST(Sentence, NamesTheLevelsThatWereNotAskedAndWhoSaysWhatTheTargetIs) {
  std::vector<JournalEntry> cases = entries({Pass, Pass});
  for (const char* level : {"6.1", "6.2"}) {
    cases.push_back(entry(cases.size(), NotAsked));
    cases.back().level = level;
  }
  Journal journal = wholeRun(cases);
  journal.headers[0].worker = "python3 worker.py";
  journal.headers[0].target = "example";
  journal.headers[0].implementation = "1.0";
  const std::string sentence = conclude(of({journal})).sentence;
  EXPECT_THAT(sentence, HasSubstr("example 1.0 on Adapter, as the worker \"python3 worker.py\" "
                                  "says: gather_nd 4.0 conforms on the smoke tier"));
  EXPECT_THAT(
      sentence,
      HasSubstr(
          "; not asked of gather_nd 6.1 to 6.2, 2 cases: above the target's highest level, 6.0; "));
}

TEST(Claims, JoinLevelsThatAreAlike) {
  std::vector<JournalEntry> cases;
  for (const char* level : {"3.0", "3.1", "4.0", "4.1", "5.0"}) {
    for (size_t i = 0; i < 2; ++i) {
      const bool fails =
          i == 0 && std::string_view(level) >= "4.0" && std::string_view(level) < "5.0";
      JournalEntry made = entry(cases.size(), fails ? Fail : Pass);
      made.level = level;
      made.rules = {"gather_nd.gather"};
      if (fails) made.violated = made.rules;
      cases.push_back(made);
    }
  }
  const Report report = of({wholeRun(cases)});
  std::vector<std::string> said;
  for (const Claim& claim : report.claims) {
    if (claim.op == "gather_nd") said.push_back(claim.levels() + ": " + claim.statement);
  }
  EXPECT_THAT(said, ElementsAre("2.1: not run", "3.0 to 3.1: conforms on the smoke tier",
                                "4.0 to 4.1: broken: 2 of 4 pass, 2 failed",
                                "5.0: conforms on the smoke tier", "5.1 to 6.4: not run"));
  EXPECT_EQ(report.claims[2].brokenRule, "gather_nd.gather");
}

}  // namespace
}  // namespace dmlcts

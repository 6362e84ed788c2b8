#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>

#include "reports/summary/wording.h"
#include "reports/test/few_cases.h"

// A report never claims more about a level than the journals show.

namespace dmlcts {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using enum Verdict;
using Tone = Conclusion::Tone;

// The run in shards of one case each.
std::vector<Journal> shardsOf(const Journal& whole) {
  std::vector<Journal> shards(whole.entries.size(), whole);
  for (size_t i = 0; i < shards.size(); ++i) {
    JournalHeader& header = shards[i].headers[0];
    header.shardCount = static_cast<uint32_t>(shards.size());
    header.shardIndex = static_cast<uint32_t>(i);
    header.plannedCases = 1;
    shards[i].entries = {whole.entries[i]};
    shards[i].headerOf = {0};
  }
  return shards;
}

// Changes the only header of a run.
Journal with(Journal journal, const std::function<void(JournalHeader&)>& change) {
  change(journal.headers[0]);
  return journal;
}

Journal filtered(std::vector<JournalEntry> made, const std::string& query = "*") {
  return with(wholeRun(std::move(made)), [&](JournalHeader& header) { header.queries = {query}; });
}

// Expects what every form says of gather_nd 4.0 and of the run, and no other claim.
Report judged(const std::vector<Journal>& journals, Compliance status, const std::string& said,
              const std::string& headline, Tone tone = Tone::Attention) {
  SCOPED_TRACE(said);
  Report report = of(journals);
  EXPECT_EQ(rowOf(report).status, status);
  EXPECT_EQ(statement(report), said);
  EXPECT_EQ(conclude(report).headline, headline);
  EXPECT_EQ(conclude(report).tone, tone);
  for (const auto& [form, text] : everyForm(report)) {
    EXPECT_THAT(text, testing::AllOf(HasSubstr(said), HasSubstr(headline))) << form;
    EXPECT_EQ(text.find("conforms on") != text.npos, status == Compliance::Conforms) << form;
  }
  return report;
}

TEST(Compliance, ConformsWhereTheWholeTierRanAndPassed) {
  judged({wholeRun({entry(0, Pass), entry(1, Pass), entry(2, Pass, false)})}, Compliance::Conforms,
         "conforms on the smoke tier", "All 3 cases as expected.", Tone::Good);
  const std::vector<Journal> shards = shardsOf(wholeRun(entries({Pass, Pass, Pass})));
  judged(shards, Compliance::Conforms, "conforms on the smoke tier", "All 3 cases as expected.",
         Tone::Good);
  judged({shards[0], shards[2]}, Compliance::Unproven, "incomplete: 2 of 3 cases ran, all passed",
         "2 cases so far, all as expected; the report is incomplete.");
  // A case of another level, for example.
  const Journal more = with(shards[1], [](JournalHeader& header) { header.plannedCases = 2; });
  judged({shards[0], more, shards[2]}, Compliance::Unproven,
         "unproven: 3 of 3 pass; the report is incomplete",
         "3 cases so far, all as expected; 1 of 4 planned cases without a verdict.");
}

TEST(Compliance, ATargetThatSupportsNothingConformsNowhere) {
  judged({wholeRun({entry(0, NotSupported), entry(1, NotSupported), entry(2, Pass, false)})},
         Compliance::Partial, "1 of 3 passes, 2 not supported",
         "1 of 3 cases passes, 2 not supported.", Tone::Bad);
  judged({wholeRun(entries({NotSupported, NotSupported}))}, Compliance::NotSupported,
         "0 of 2 pass, 2 not supported", "0 of 2 cases pass, 2 not supported.", Tone::Bad);
  judged({wholeRun(entries({Pass, Pass}, false))}, Compliance::Unproven,
         "unproven: 2 of 2 pass; no case executed the operator", "All 2 cases as expected.",
         Tone::Good);
}

TEST(Compliance, OnePassIsNotALevel) {
  const Journal one = with(wholeRun(entries({Pass})), [](JournalHeader& header) {
    header.tierCases = {{"gather_nd 4.0", 4400}, {"gather_nd 5.0", 600}};
  });
  judged({one}, Compliance::Unproven, "incomplete: 1 of 4,400 cases ran, and it passed",
         "The only case went as expected.", Tone::Good);
  const auto chosen = [&](const std::string& by,
                          const std::function<void(JournalHeader&)>& change) {
    const Report report = judged({with(one, change)}, Compliance::Filtered,
                                 "filtered: 1 of 4,400 cases ran, and it passed",
                                 "Filtered: the only case went as expected.");
    EXPECT_EQ(rowOf(report, "5.0").statement, "not run");
    EXPECT_THAT(
        conclude(report).remarks,
        ElementsAre("Filtered: 1 case of the 5,000 of the smoke tier, chosen by \"" + by + "\"."));
  };
  chosen("--level 4.*", [](JournalHeader& header) { header.levelFilter = "4.*"; });
  chosen("gather_nd", [](JournalHeader& header) { header.queries = {"gather_nd"}; });
}

TEST(Compliance, CasesOfAFileSaySoInEveryForm) {
  Journal journal = with(wholeRun(entries({Pass, Pass})), [](JournalHeader& header) {
    header.tier.clear();
    header.tierCases.clear();
    header.caseFile = "mine.txt";
  });
  const Report report =
      judged({journal}, Compliance::Filtered, "filtered: 2 cases of mine.txt ran, all passed",
             "Filtered: all 2 cases as expected.");
  EXPECT_THAT(conclude(report).sentence,
              HasSubstr("no level is shown to conform: 2 of 2 cases of mine.txt pass; rules of"));
  journal.headers[0].queries = {"gather_nd"};
  EXPECT_THAT(conclude(of({journal})).sentence,
              HasSubstr("2 of 2 cases of mine.txt pass, chosen by queries; "));
  journal.entries[0].verdict = Fail;
  EXPECT_THAT(conclude(of({journal})).sentence, HasSubstr("1 of 2 cases of mine.txt fails"));
  judged({journal}, Compliance::Broken,
         "broken: 1 of 2 passes, 1 failed; filtered: 2 cases of mine.txt ran",
         "Filtered: 1 of 2 cases failed.", Tone::Bad);
  // Hosts may keep the same cases under other names.
  journal.headers.push_back(journal.headers[0]);
  journal.headers[1].caseFile = "elsewhere.txt";
  EXPECT_TRUE(of({journal}).conflicts.empty());
}

TEST(Compliance, AQueryForEverythingIsAQueryToo) {
  judged({filtered(entries({Pass, Pass}))}, Compliance::Filtered,
         "filtered: 2 of 2 cases ran, all passed", "Filtered: all 2 cases as expected.");
  judged({filtered(entries({Fail, Pass}))}, Compliance::Broken,
         "broken: 1 of 2 passes, 1 failed; filtered: 2 of 2 cases ran",
         "Filtered: 1 of 2 cases failed.", Tone::Bad);
  judged({filtered(entries({Waived, Pass}))}, Compliance::Filtered,
         "filtered: 2 of 2 cases ran: 1 of 2 passes, 1 waived",
         "Filtered: no new failure: 1 passed, 1 known failure waived.");
  std::vector<Journal> shards = shardsOf(wholeRun(entries({Pass, Pass})));
  shards[1].headers[0].queries = {"*"};
  judged(shards, Compliance::Filtered, "filtered: 2 of 2 cases ran, all passed",
         "Filtered: 2 cases so far, all as expected; the journals disagree on what was tested.");
}

TEST(Compliance, WaivedNeverConforms) {
  judged({wholeRun(entries({Waived, Waived}))}, Compliance::Partial, "0 of 2 pass, 2 waived",
         "No new failure: 0 passed, 2 known failures waived.");
  judged({wholeRun(entries({Pass, Waived, Waived, NotAsked}))}, Compliance::Partial,
         "1 of 4 passes, 2 waived, 1 not asked",
         "No new failure: 1 passed, 2 known failures waived, 1 NotAsked.");
}

TEST(Compliance, SkippedNeverConformsAndNeverRan) {
  std::vector<JournalEntry> cases = entries({Pass, Pass, Skipped, Skipped});
  cases[2].message = cases[3].message = "takes the machine down (https://example.org/7)";
  const Report report = judged({wholeRun(cases)}, Compliance::Partial, "2 of 4 pass, 2 skipped",
                               "2 of 4 cases pass, 2 skipped.");
  uint64_t ran = 0;
  for (const FamilyRow& row : report.families) ran += row.executed + row.rejected;
  EXPECT_EQ(ran, 2u);
  EXPECT_THAT(everyForm(report), eachIs(HasSubstr(cases[2].message)));
  judged({filtered(cases)}, Compliance::Filtered,
         "filtered: 2 of 4 cases ran: 2 of 4 pass, 2 skipped",
         "Filtered: 2 of 4 cases pass, 2 skipped.");
}

TEST(Compliance, EveryVerdictIsSaidInItsOwnWords) {
  judged({wholeRun(
             entries({Pass, Pass, Fail, Crash, Crash, DeviceRemoved, Timeout, Flaky, UnexpectedPass,
                      InternalError, NotSupported, Vacuous, Waived, Skipped, NotAsked}))},
         Compliance::Broken,
         "broken: 2 of 15 pass, 1 failed, 2 crashed, 1 lost the device, 1 timed out, 1 flaky, 1 "
         "passed unexpectedly, 1 without a verdict, 1 not supported, 1 vacuous, 1 waived, 1 "
         "skipped, 1 not asked",
         "7 of 15 cases failed.", Tone::Bad);
}

TEST(Compliance, ATargetWithoutANameConformsNowhere) {
  const Journal journal =
      with(wholeRun(entries({Pass, Pass})), [](JournalHeader& header) { header.target = ""; });
  judged({journal}, Compliance::Unproven,
         "unproven: 2 of 2 pass; there are verdicts of a target without an identity",
         "All 2 cases as expected.", Tone::Good);
  // A session without a worker has no verdicts; resuming it makes the run whole.
  Journal resumed = wholeRun(entries({Pass, Pass}));
  resumed.headers.insert(resumed.headers.begin(), journal.headers[0]);
  resumed.entries.insert(resumed.entries.begin(), entry(0, InternalError));
  resumed.headerOf = {0, 1, 1};
  judged({resumed}, Compliance::Conforms, "conforms on the smoke tier", "All 2 cases as expected.",
         Tone::Good);
}

TEST(Compliance, AWorkerFailureIsShownFailsTheRunAndLetsNoLevelConform) {
  Journal journal = wholeRun(entries({Pass, Pass}));
  journal.workerFailures = {{"at exit", Crash, "signal 11", "a last word"}};
  const Report report = judged({journal}, Compliance::Unproven,
                               "unproven: 2 of 2 pass; a worker failed outside any case",
                               "2 of 2 cases pass; 1 worker failure.", Tone::Bad);
  EXPECT_EQ(exitStatus(report), 1);
  for (const auto& [form, text] : everyForm(report)) {
    EXPECT_THAT(text, testing::AllOf(HasSubstr("at exit"), HasSubstr("signal 11"))) << form;
    EXPECT_EQ(text.find("a last word") != text.npos, form != "terminal") << form;
  }
  EXPECT_THAT(everyForm(report)[2].second, HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\""));
}

TEST(Compliance, TwoDevicesAreNamedAndProveNothingTogether) {
  std::vector<Journal> shards =
      shardsOf(with(wholeRun(entries({Pass, Pass})), [](JournalHeader& header) {
        header.files = {{"d3d12.dll", std::string(64, 'a')}, {"driver.so", "b"}};
        header.limits = {{"WaveLanes", "32"}};
      }));
  EXPECT_EQ(rowOf(of(shards)).status, Compliance::Conforms);
  JournalHeader& second = shards[1].headers[0];
  second.adapter = "Another adapter";
  second.files["driver.so"] = "c";
  second.limits["WaveLanes"] = "8";
  const Report report =
      judged(shards, Compliance::Unproven,
             "unproven: 2 of 2 pass; the journals disagree on adapter, limits, files",
             "2 cases so far, all as expected; the journals disagree on what was tested.");
  EXPECT_THAT(conclude(report).remarks,
              ElementsAre("The journals disagree on adapter: \"Adapter\", \"Another adapter\".",
                          "The journals disagree on limits: \"WaveLanes=32\", \"WaveLanes=8\".",
                          "The journals disagree on files: \"driver.so=b\", \"driver.so=c\"."));
}

TEST(LevelGate, ADeviceWithoutOneIsNotAsked) {
  const Report report =
      judged({wholeRun({entry(0, Pass), levelOnly(1, NotAsked), levelOnly(2, NotAsked)})},
             Compliance::Conforms, "conforms on the smoke tier; 2 of 3 cases not asked",
             "1 of 3 cases passes, 2 not asked.", Tone::Good);
  EXPECT_THAT(conclude(report).remarks,
              ElementsAre("2 cases not asked: they must be rejected only because of the feature "
                          "level, and this device accepts calls of any level."));
  // Current runs judge every leak; older journals have this mixture.
  judged({wholeRun({entry(0, Pass), levelOnly(1, Pass), levelOnly(2, NotAsked)})},
         Compliance::Unproven,
         "unproven: 2 of 3 pass, 1 not asked; the device enforces feature levels for some "
         "descriptors but not for others",
         "2 of 3 cases pass, 1 not asked.", Tone::Good);
}

// Arguable and observed cases are named beside the statement, and the level still conforms.
TEST(Claims, NameWhatTheyDependOn) {
  std::vector<JournalEntry> cases = entries({Arguable, Pass, Pass, Pass});
  // Names the rule twice, like journals of earlier versions.
  cases[0].violated = {"nonzero_coordinates.float32-denormals",
                       "nonzero_coordinates.float32-denormals"};
  cases[1].observations = {{"tensor.untouched", 7}};
  cases[2].observations = {{"tensor.untouched", 1}};
  judged({wholeRun(cases)}, Compliance::Conforms,
         "conforms on the smoke tier; 1 case arguable by nonzero_coordinates.float32-denormals; "
         "observed: tensor.untouched not kept in 2 cases",
         "3 of 4 cases pass, 1 arguable.");
  cases[0].violated.clear();
  EXPECT_THAT(statement(of({wholeRun(cases)})), HasSubstr("does not name"));
}

TEST(Compliance, NothingIsClaimedByRandomCases) {
  Journal journal = wholeRun(entries({Pass, Pass}));
  journal.headers[0].tier = "fuzz";
  journal.headers[0].tierCases.clear();
  journal.headers[0].plannedCases = 0;
  journal.headers[0].seed = 7;
  const Report clean = of({journal});
  EXPECT_TRUE(clean.claims.empty());
  EXPECT_TRUE(clean.complete());
  EXPECT_THAT(conclude(clean).sentence, HasSubstr("random cases (seed 7): 2 of 2 cases pass"));
  journal.entries[0].verdict = Fail;
  const Report failed = of({journal});
  EXPECT_TRUE(failed.claims.empty());
  EXPECT_THAT(conclude(failed).sentence, HasSubstr("random cases (seed 7): 1 of 2 cases fails"));
}

// A relation of a case is judged under the case's own string.
TEST(Compliance, RelationsOfACaseAreCountedBesideIt) {
  Journal journal = wholeRun(entries({Pass, Pass, Pass}));
  journal.headers[0].tier = "fuzz";
  journal.entries[2].caseString = journal.entries[0].caseString;
  journal.entries[2].family = "fuzz.relation.batches-join";
  const Report report = of({journal});
  EXPECT_EQ(report.caseCount, 3u);
  EXPECT_EQ(report.planned(), 3u);
  EXPECT_TRUE(report.duplicates.empty());
}

TEST(Compliance, ALevelWithoutTheOperatorDoesNotHold) {
  std::vector<JournalEntry> cases = entries({Pass, Pass}, false);
  for (JournalEntry& each : cases) {
    each.op = "nonzero_coordinates";
    each.level = "2.1";
    each.levelOnly = true;
  }
  const Report gated = of({wholeRun(cases)});
  EXPECT_EQ(rowOf(gated, "2.1", "nonzero_coordinates").status, Compliance::Absent);
  EXPECT_EQ(rowOf(gated, "2.1", "nonzero_coordinates").statement, "absent, rightly rejected");
  for (JournalEntry& each : cases) each.verdict = NotAsked;
  const Report open = of({wholeRun(cases)});
  EXPECT_EQ(rowOf(open, "2.1", "nonzero_coordinates").status, Compliance::NotAsked);
  EXPECT_EQ(rowOf(open, "2.1", "nonzero_coordinates").statement,
            "not asked: the device accepts calls of any feature level");
}

TEST(Compliance, LevelsAboveTheHighestAreNotAsked) {
  std::vector<JournalEntry> cases = entries({NotAsked, NotAsked});
  for (JournalEntry& each : cases) {
    each.level = "6.2";
    each.message = "above 6.0";
  }
  cases.push_back(entry(9, Pass));
  const Report report = of({wholeRun(cases)});
  EXPECT_EQ(rowOf(report, "6.2").status, Compliance::NotAsked);
  EXPECT_EQ(rowOf(report, "6.2").statement, "not asked: above the target's highest level, 6.0");
  EXPECT_EQ(statement(report), "conforms on the smoke tier");
  EXPECT_EQ(conclude(report).headline, "1 of 3 cases passes, 2 not asked.");
  EXPECT_EQ(exitStatus(report), 0);
}

// Whatever a journal contains, "conforms" appears only if nothing is missing, wrong or waived.
TEST(Compliance, HoldsNeedsAllOfIt) {
  size_t held = 0;
  EXPECT_TRUE(rc::check("random runs", [&] {
    const auto verdicts = *rc::gen::container<std::vector<Verdict>>(rc::gen::weightedOneOf<Verdict>(
        {{30, rc::gen::just(Pass)}, {1, rc::gen::elementOf(kVerdicts)}}));
    std::vector<JournalEntry> cases;
    for (Verdict verdict : verdicts) {
      cases.push_back(entry(cases.size(), verdict, *rc::gen::arbitrary<bool>()));
      cases.back().levelOnly = !cases.back().executed && *rc::gen::inRange(0, 4) == 0;
    }
    Journal journal = wholeRun(cases);
    JournalHeader& header = journal.headers[0];
    bool whole = true;
    const std::vector<std::function<void()>> faults{
        [&] { header.queries = {"*"}; },
        [&] { header.levelFilter = "*"; },
        [&] { header.failedOf = "journal.jsonl"; },
        [&] { header.caseFile = "mine.txt"; },
        [&] { header.tierCases.clear(); },
        [&] { header.tier.clear(); },
        [&] { header.target.clear(); },
        [&] { ++header.tierCases["gather_nd 4.0"]; },
        [&] { ++header.plannedCases; },
        [&] { header.shardCount = 2; },
        [&] { journal.cutLine = "{"; },
        [&] { journal.workerFailures.push_back({"between cases", Crash, "", ""}); },
        [&] {
          journal.headers.push_back(header);
          journal.headers[1].adapter += "'";
        },
    };
    if (*rc::gen::inRange(0, 3) == 0) {
      (*rc::gen::elementOf(faults))();
      whole = false;
    }
    bool executed = false;
    bool passed = true;
    const bool gate = std::ranges::any_of(
        cases, [](const JournalEntry& c) { return c.levelOnly && c.verdict == Pass; });
    for (const JournalEntry& each : cases) {
      executed = executed || (each.executed && each.verdict == Pass);
      const bool notAsked = each.verdict == NotAsked && each.levelOnly && !gate;
      passed = passed && (each.verdict == Pass || each.verdict == Arguable || notAsked);
    }
    const Report report = of({journal});
    const ComplianceRow& row = rowOf(report);
    RC_ASSERT((row.status == Compliance::Conforms) == (whole && executed && passed));
    RC_ASSERT(row.statement.starts_with("conforms") == (row.status == Compliance::Conforms));
    const std::string shown = terminalSummary(report);
    RC_ASSERT((shown.find("conforms on") != shown.npos) == (row.status == Compliance::Conforms));
    held += row.status == Compliance::Conforms;
  }));
  EXPECT_GT(held, 0u);
}

}  // namespace
}  // namespace dmlcts

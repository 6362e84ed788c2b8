#include "reports/summary/compliance.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "conformance/cases/language/plan_hash.h"
#include "reports/render/writers.h"
#include "reports/summary/summary.h"
#include "reports/summary/wording.h"
#include "reports/test/sample_journals.h"

// A report never claims more about a level than the journals show.

namespace dmlcts {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using enum Verdict;
using Tone = Conclusion::Tone;

JournalEntry entry(size_t number, Verdict verdict, bool executes = true) {
  JournalEntry made = executed("gather_nd level=4.0 seed=" + std::to_string(number), verdict);
  made.rank = 4;
  made.executed = executes;
  return made;
}

std::vector<JournalEntry> entries(const std::vector<Verdict>& verdicts, bool executed = true) {
  std::vector<JournalEntry> made;
  for (Verdict verdict : verdicts) made.push_back(entry(made.size(), verdict, executed));
  return made;
}

// A rejection that only its level calls for; NotAsked if it was accepted.
JournalEntry levelOnly(size_t number, Verdict verdict) {
  JournalEntry made = entry(number, verdict, false);
  made.levelOnly = true;
  if (verdict == NotAsked) made.message = "accepted a descriptor that breaks a rule";
  return made;
}

// The journal of a whole smoke-tier run with exactly these cases.
Journal wholeRun(std::vector<JournalEntry> made) {
  JournalHeader header;
  header.tier = "smoke";
  header.adapter = "Adapter";
  header.maxLevel = "6.0";
  header.planHash = "plan";
  return journalOf(std::move(made), header);
}

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

Report of(const std::vector<Journal>& journals) { return summarize(journals); }

const ComplianceRow& rowOf(const Report& report, std::string_view level = "4.0",
                           std::string_view op = "gather_nd") {
  return levelOf(report, op, level);
}

std::string statement(const Report& report) { return rowOf(report).statement; }

// Every form of the report, by name.
std::vector<std::pair<std::string, std::string>> everyForm(const Report& report) {
  std::vector<std::pair<std::string, std::string>> forms{{"terminal", terminalSummary(report)}};
  const std::vector<std::pair<std::string, void (*)(std::ostream&, const Report&)>> writers{
      {"report.json", writeReportJson},
      {"junit.xml", writeJUnit},
      {"summary.md", writeMarkdown},
      {"index.html", writeHtml}};
  for (const auto& [name, write] : writers) {
    std::ostringstream out;
    write(out, report);
    std::string text = out.str();
    if (name == "index.html") {  // the page's data, without its scripts
      const size_t data = text.find("id=\"data\">");
      text = text.substr(data, text.find("</script>", data) - data);
    }
    forms.emplace_back(name, std::move(text));
  }
  return forms;
}

// Matches what every form is.
auto eachIs(const auto&... matchers) {
  return testing::Each(testing::Pair(testing::_, testing::AllOf(matchers...)));
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

// All together --------------------------------------------------------------------------------

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

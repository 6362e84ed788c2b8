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

TEST(Compliance, HoldsWhereTheWholeTierRanAndPassed) {
  std::vector<JournalEntry> cases = entries({Pass, Pass});
  cases.push_back(entry(2, Pass, false));
  const Report report = of({wholeRun(cases)});
  EXPECT_EQ(rowOf(report).status, Compliance::Conforms);
  EXPECT_EQ(statement(report), "conforms on the smoke tier");
  EXPECT_EQ(conclude(report).headline, "All 3 cases as expected.");
  EXPECT_EQ(conclude(report).tone, Conclusion::Tone::Good);
  EXPECT_EQ(exitStatus(report), 0);
  EXPECT_THAT(everyForm(report), eachIs(HasSubstr("conforms on the smoke tier")));
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

TEST(Compliance, ATargetThatSupportsNothingHoldsNowhere) {
  std::vector<JournalEntry> cases = entries(std::vector(6, NotSupported));
  for (size_t i = 6; i < 10; ++i) cases.push_back(entry(i, Pass, false));
  const Report report = of({wholeRun(cases)});
  EXPECT_EQ(rowOf(report).status, Compliance::Partial);
  EXPECT_EQ(statement(report), "4 of 10 pass, 6 not supported");
  EXPECT_EQ(conclude(report).headline, "4 of 10 cases pass, 6 not supported.");
  EXPECT_EQ(conclude(report).tone, Conclusion::Tone::Bad);
  EXPECT_EQ(exitStatus(report), 1);
  EXPECT_THAT(everyForm(report), eachIs(Not(HasSubstr("conforms on"))));

  const Report nothing = of({wholeRun(entries({NotSupported, NotSupported}))});
  EXPECT_EQ(rowOf(nothing).status, Compliance::NotSupported);
  EXPECT_EQ(statement(nothing), "0 of 2 pass, 2 not supported");
}

TEST(Compliance, OnePassIsNotALevel) {
  Journal journal = wholeRun(entries({Pass}));
  journal.headers[0].tierCases = {{"gather_nd 4.0", 4400}, {"gather_nd 5.0", 600}};
  const Report unexplained = of({journal});
  EXPECT_EQ(rowOf(unexplained).status, Compliance::Unproven);
  EXPECT_EQ(statement(unexplained), "incomplete: 1 of 4,400 cases ran, and it passed");

  for (const bool byLevel : {false, true}) {
    if (byLevel) {
      journal.headers[0].queries.clear();
      journal.headers[0].levelFilter = "4.*";
    } else {
      journal.headers[0].queries = {"gather_nd expect=reject*"};
    }
    const Report report = of({journal});
    EXPECT_EQ(rowOf(report).status, Compliance::Filtered);
    EXPECT_EQ(statement(report), "filtered: 1 of 4,400 cases ran, and it passed");
    EXPECT_EQ(rowOf(report, "5.0").statement, "not run");
    EXPECT_EQ(conclude(report).headline, "Filtered: the only case went as expected.");
    EXPECT_NE(conclude(report).tone, Conclusion::Tone::Good);
    EXPECT_THAT(
        conclude(report).remarks,
        ElementsAre("Filtered: 1 case of the 5,000 of the smoke tier, chosen by \"" +
                    std::string(byLevel ? "--level 4.*" : "gather_nd expect=reject*") + "\"."));
    for (const auto& [form, text] : everyForm(report)) {
      EXPECT_THAT(text, HasSubstr("Filtered: the only case")) << form;
      EXPECT_THAT(text, HasSubstr("filtered: 1 of 4,400 cases ran")) << form;
      EXPECT_THAT(text, Not(HasSubstr("conforms on"))) << form;
    }
  }
}

TEST(Compliance, CasesOfAFileSaySoInEveryForm) {
  Journal journal = wholeRun(entries({Pass, Pass}));
  JournalHeader& header = journal.headers[0];
  header.tier.clear();
  header.tierCases.clear();
  header.caseFile = "mine.txt";
  const Report report = of({journal});
  EXPECT_EQ(rowOf(report).status, Compliance::Filtered);
  EXPECT_EQ(statement(report), "filtered: 2 cases of mine.txt ran, all passed");
  EXPECT_THAT(conclude(report).sentence,
              HasSubstr("no level is shown to conform: 2 of 2 cases of mine.txt pass; rules of"));
  EXPECT_NE(conclude(report).tone, Conclusion::Tone::Good);
  EXPECT_THAT(everyForm(report),
              eachIs(HasSubstr("2 cases of mine.txt ran"), Not(HasSubstr("conforms on"))));
  header.queries = {"gather_nd"};
  EXPECT_THAT(conclude(of({journal})).sentence,
              HasSubstr("2 of 2 cases of mine.txt pass, chosen by queries; "));
  journal.entries[0].verdict = Fail;
  EXPECT_THAT(conclude(of({journal})).sentence, HasSubstr("1 of 2 cases of mine.txt fails"));
  EXPECT_EQ(statement(of({journal})),
            "broken: 1 of 2 passes, 1 failed; filtered: 2 cases of mine.txt ran");

  // Hosts may keep the same cases under other names.
  journal.headers.push_back(header);
  journal.headers[1].caseFile = "elsewhere.txt";
  EXPECT_TRUE(of({journal}).conflicts.empty());
}

TEST(Compliance, AQueryForEverythingIsAQueryToo) {
  Journal journal = wholeRun(entries({Pass, Pass}));
  journal.headers[0].queries = {"*"};
  const Report report = of({journal});
  EXPECT_EQ(rowOf(report).status, Compliance::Filtered);
  EXPECT_EQ(statement(report), "filtered: 2 of 2 cases ran, all passed");
  EXPECT_EQ(conclude(report).headline, "Filtered: all 2 cases as expected.");
  journal.entries[0].verdict = Fail;
  EXPECT_EQ(statement(of({journal})),
            "broken: 1 of 2 passes, 1 failed; filtered: 2 of 2 cases ran");
  EXPECT_EQ(conclude(of({journal})).headline, "Filtered: 1 of 2 cases failed.");
  journal.entries[0].verdict = Waived;
  EXPECT_EQ(statement(of({journal})), "filtered: 2 of 2 cases ran: 1 of 2 passes, 1 waived");
}

// Only one of the shards has a filter.
TEST(Compliance, AFilterAnywhereIsAFilter) {
  std::vector<Journal> shards = shardsOf(wholeRun(entries({Pass, Pass})));
  shards[1].headers[0].queries = {"gather_nd"};
  const Report report = of(shards);
  EXPECT_THAT(report.filters, ElementsAre("gather_nd"));
  EXPECT_EQ(rowOf(report).status, Compliance::Filtered);
}

TEST(Compliance, WaivedNeverConforms) {
  const Report report = of({wholeRun(entries(std::vector(12, Waived)))});
  EXPECT_EQ(rowOf(report).status, Compliance::Partial);
  EXPECT_EQ(statement(report), "0 of 12 pass, 12 waived");
  EXPECT_EQ(conclude(report).headline, "No new failure: 0 passed, 12 known failures waived.");
  EXPECT_NE(conclude(report).tone, Conclusion::Tone::Good);
  EXPECT_EQ(exitStatus(report), 0);
  EXPECT_THAT(everyForm(report),
              eachIs(HasSubstr("0 of 12 pass, 12 waived"), Not(HasSubstr("conforms on")),
                     Not(HasSubstr("conforms but"))));
  EXPECT_EQ(statement(of({wholeRun(entries({Pass, Pass, Waived}))})), "2 of 3 pass, 1 waived");
}

TEST(Compliance, SkippedIsNeverHoldsAndNeverRan) {
  std::vector<JournalEntry> cases = entries({Pass, Pass, Skipped, Skipped});
  for (JournalEntry& each : cases) {
    if (each.verdict == Skipped) each.message = "takes the machine down (https://example.org/7)";
  }
  const Report report = of({wholeRun(cases)});
  EXPECT_EQ(rowOf(report).status, Compliance::Partial);
  EXPECT_EQ(statement(report), "2 of 4 pass, 2 skipped");
  EXPECT_NE(conclude(report).tone, Conclusion::Tone::Good);
  EXPECT_EQ(exitStatus(report), 0);
  uint64_t executed = 0;
  for (const FamilyRow& row : report.families) executed += row.executed + row.rejected;
  EXPECT_EQ(executed, 2u);
  EXPECT_THAT(everyForm(report), eachIs(HasSubstr("takes the machine down (https://example.org/7)"),
                                        Not(HasSubstr("conforms on"))));
  Journal part = wholeRun(cases);
  part.headers[0].queries = {"gather_nd"};
  EXPECT_EQ(statement(of({part})), "filtered: 2 of 4 cases ran: 2 of 4 pass, 2 skipped");
}

TEST(Compliance, EveryVerdictIsSaidInItsOwnWords) {
  const Report report = of({wholeRun(
      entries({Pass, Pass, Fail, Crash, Crash, DeviceRemoved, Timeout, Flaky, UnexpectedPass,
               InternalError, NotSupported, Vacuous, Waived, Skipped, NotAsked}))});
  EXPECT_EQ(statement(report),
            "broken: 2 of 15 pass, 1 failed, 2 crashed, 1 lost the device, 1 timed out, 1 flaky, 1 "
            "passed unexpectedly, 1 without a verdict, 1 not supported, 1 vacuous, 1 waived, 1 "
            "skipped, 1 not asked");
}

TEST(Compliance, AllShardsTogetherHoldAndOneDoesNot) {
  std::vector<Journal> shards = shardsOf(wholeRun(entries({Pass, Pass, Pass})));
  EXPECT_EQ(statement(of(shards)), "conforms on the smoke tier");
  EXPECT_EQ(statement(of({shards[0], shards[2]})), "incomplete: 2 of 3 cases ran, all passed");
  shards[1].headers[0].plannedCases = 2;  // a case of another level, for example
  EXPECT_EQ(statement(of(shards)), "unproven: 3 of 3 pass; the report is incomplete");
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

TEST(Compliance, ATargetWithoutANameHoldsNowhere) {
  Journal journal = wholeRun(entries({Pass, Pass}));
  journal.headers[0].target = "";
  EXPECT_EQ(statement(of({journal})),
            "unproven: 2 of 2 pass; there are verdicts of a target without an identity");
  // A session without a worker has no verdicts; resuming it makes the run whole.
  Journal resumed = wholeRun(entries({Pass, Pass}));
  resumed.headers.insert(resumed.headers.begin(), journal.headers[0]);
  resumed.entries.insert(resumed.entries.begin(), entry(0, InternalError));
  resumed.headerOf = {0, 1, 1};
  EXPECT_EQ(statement(of({resumed})), "conforms on the smoke tier");
}

TEST(Compliance, RejectionsAloneProveNoOperator) {
  EXPECT_EQ(statement(of({wholeRun(entries({Pass, Pass}, false))})),
            "unproven: 2 of 2 pass; no case executed the operator");
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

TEST(Compliance, AWorkerFailureIsShownFailsTheRunAndLetsNoLevelHold) {
  Journal journal = wholeRun(entries({Pass, Pass}));
  journal.workerFailures = {{"at exit", Crash, "signal 11", "a last word"}};
  const Report report = of({journal});
  EXPECT_EQ(rowOf(report).status, Compliance::Unproven);
  EXPECT_EQ(statement(report), "unproven: 2 of 2 pass; a worker failed outside any case");
  EXPECT_EQ(conclude(report).headline, "2 of 2 cases pass; 1 worker failure.");
  EXPECT_EQ(conclude(report).tone, Conclusion::Tone::Bad);
  EXPECT_EQ(exitStatus(report), 1);
  for (const auto& [form, text] : everyForm(report)) {
    EXPECT_THAT(text, HasSubstr("at exit")) << form;
    EXPECT_THAT(text, HasSubstr("signal 11")) << form;
    EXPECT_THAT(text, HasSubstr("1 worker failure")) << form;
    EXPECT_EQ(text.find("a last word") != text.npos, form != "terminal") << form;
  }
  EXPECT_THAT(everyForm(report)[2].second, HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\""));
}

TEST(Compliance, TwoDevicesAreNamedAndProveNothingTogether) {
  Journal whole = wholeRun(entries({Pass, Pass}));
  whole.headers[0].files = {{"d3d12.dll", std::string(64, 'a')}, {"driver.so", "b"}};
  whole.headers[0].limits = {{"WaveLanes", "32"}};
  std::vector<Journal> shards = shardsOf(whole);
  EXPECT_EQ(statement(of(shards)), "conforms on the smoke tier");
  Journal& second = shards[1];
  second.headers[0].adapter = "Another adapter";
  second.headers[0].files["driver.so"] = "c";
  second.headers[0].limits["WaveLanes"] = "8";
  const Report report = of(shards);
  EXPECT_EQ(rowOf(report).status, Compliance::Unproven);
  EXPECT_EQ(statement(report),
            "unproven: 2 of 2 pass; the journals disagree on adapter, limits, files");
  EXPECT_THAT(conclude(report).remarks,
              ElementsAre("The journals disagree on adapter: \"Adapter\", \"Another adapter\".",
                          "The journals disagree on limits: \"WaveLanes=32\", \"WaveLanes=8\".",
                          "The journals disagree on files: \"driver.so=b\", \"driver.so=c\"."));
}

// The level gate ------------------------------------------------------------------------------

TEST(LevelGate, ADeviceWithoutOneIsNotAsked) {
  const Report report =
      of({wholeRun({entry(0, Pass), levelOnly(1, NotAsked), levelOnly(2, NotAsked)})});
  EXPECT_EQ(rowOf(report).status, Compliance::Conforms);
  EXPECT_EQ(statement(report), "conforms on the smoke tier; 2 of 3 cases not asked");
  EXPECT_EQ(conclude(report).headline, "1 of 3 cases passes, 2 not asked.");
  EXPECT_THAT(conclude(report).remarks,
              ElementsAre("2 cases not asked: they must be rejected only because of the feature "
                          "level, and this device accepts calls of any level."));
  EXPECT_EQ(exitStatus(report), 0);
}

// Current runs judge every leak; older journals have this mixture.
TEST(LevelGate, HalfOfOneIsNotSaidToHold) {
  const Report report =
      of({wholeRun({entry(0, Pass), levelOnly(1, Pass), levelOnly(2, NotAsked)})});
  EXPECT_EQ(rowOf(report).status, Compliance::Unproven);
  EXPECT_THAT(statement(report), HasSubstr("enforces feature levels for some descriptors"));
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

// Arguable and observed cases are named beside the statement, and the level still conforms.
TEST(Claims, NameWhatTheyDependOn) {
  std::vector<JournalEntry> cases;
  for (size_t i = 0; i < 4; ++i) cases.push_back(entry(i, i == 0 ? Arguable : Pass));
  // Names the rule twice, like journals of earlier versions.
  cases[0].violated = {"nonzero_coordinates.float32-denormals",
                       "nonzero_coordinates.float32-denormals"};
  cases[1].observations = {{"tensor.untouched", 7}};
  cases[2].observations = {{"tensor.untouched", 1}};
  const Report report = of({wholeRun(cases)});
  EXPECT_EQ(statement(report),
            "conforms on the smoke tier; 1 case arguable by nonzero_coordinates.float32-denormals; "
            "observed: tensor.untouched not kept in 2 cases");
  EXPECT_EQ(conclude(report).headline, "3 of 4 cases pass, 1 arguable.");
  cases[0].violated.clear();
  EXPECT_THAT(statement(of({wholeRun(cases)})), HasSubstr("does not name"));
  EXPECT_EQ(exitStatus(report), 0);
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

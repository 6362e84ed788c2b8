// When failures occur: each answer is right, the first screens of terminal and page say it, and the
// replay that they offer fails.

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/language/case_string.h"
#include "conformance/run/replay/cases_before.h"
#include "conformance/run/runner.h"
#include "conformance/test/test_folder.h"
#include "reports/journal/input_file.h"
#include "reports/journal/journal.h"
#include "reports/render/writers.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

// Queries for some 600 cases that execute.
const std::vector<std::string> kSixHundred{"family=documents", "family=matrix", "family=values"};

class Investigated : public testing::Test {
 protected:
  // Runs cases of the smoke tier on a mutant.
  const Journal& run(const std::string& mutant, std::vector<std::string> queries = {},
                     uint32_t jobs = 1) {
    mutant_ = mutant;
    RunOptions options;
    options.schedule.tier = "smoke";
    options.schedule.queries = std::move(queries);
    options.lane.command = {{DMLCTS_COMMAND, "worker", "mutant:" + mutant}, {}};
    options.lane.strictness = Strictness::Strict;
    options.lane.timeout = timeout_;
    options.lane.poison = 1;
    options.jobs = jobs;
    options.bundles = 0;
    options.folder = folder_.path() / "report";
    options.overwrite = true;
    report_ = runConformance(options).report;
    journal_ = readJournal(options.folder / "journal.jsonl");
    return journal_;
  }

  // The first screens of terminal and page begin with this cause, and say these words about it.
  void expectFirst(const std::string& headline, const std::vector<std::string>& words) const {
    const std::string terminal = terminalSummary(report_, folder_.path() / "report");
    EXPECT_THAT(terminal, HasSubstr("\n- "));
    const std::string cause = terminal.substr(terminal.find("\n- ") + 1);
    EXPECT_THAT(cause.substr(0, cause.find('\n')), HasSubstr(headline)) << terminal;
    EXPECT_EQ(cause.find("tensor.untouched"), cause.npos) << "no lost worker tells of it";
    const nlohmann::json page = pageData()["clusters"][0];
    EXPECT_THAT(page["headline"].get<std::string>(), HasSubstr(headline));
    for (const std::string& each : words) {
      EXPECT_THAT(cause, HasSubstr(each));
      const auto& shortest = page["shortest"];
      EXPECT_THAT(shortest["message"].get<std::string>() + '\n' +
                      shortest["workerStderr"].get<std::string>() + '\n' +
                      shortest["replay"].get<std::string>(),
                  HasSubstr(each));
    }
  }

  // Returns the investigation of the case that the first cause shows.
  const JournalInvestigation& shownFirst() const {
    const std::string& shown = report_.cases[report_.clusters.at(0).shortest].caseString;
    const auto found =
        std::ranges::find(journal_.investigations, shown, &JournalInvestigation::caseString);
    EXPECT_NE(found, journal_.investigations.end());
    return *found;
  }

  nlohmann::json pageData() const {
    const std::string page = readInput(folder_.path() / "report/index.html");
    const std::string_view opening = "<script type=\"application/json\" id=\"data\">";
    const size_t begin = page.find(opening) + opening.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

  struct Shown {
    int status = -1;
    std::string text;
  };
  // Replays the case of an investigation with further words of the command line.
  Shown replay(const std::string& words, const JournalInvestigation& asked) const {
    const std::string command = std::string(DMLCTS_COMMAND) + " replay --strict --timeout " +
                                std::to_string(timeout_.count()) +
                                " --tier smoke --target mutant:" + mutant_ + " " + words + " '" +
                                asked.caseString + "' 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    Shown shown;
    for (int c = 0; (c = std::fgetc(pipe)) != EOF;) shown.text += static_cast<char>(c);
    shown.status = WEXITSTATUS(pclose(pipe));
    return shown;
  }

  void expectPassesAlone(const JournalInvestigation& asked) const {
    const Shown alone = replay("", asked);
    EXPECT_EQ(alone.status, 0) << alone.text;
  }
  void expectFails(const std::string& words, const JournalInvestigation& asked,
                   const std::string& how) const {
    const Shown shown = replay(words, asked);
    EXPECT_EQ(shown.status, 1) << shown.text;
    EXPECT_THAT(shown.text, HasSubstr(how)) << words;
  }

  const TestFolder folder_;
  std::chrono::seconds timeout_{60};
  std::string mutant_;
  Journal journal_;
  Report report_;
};

TEST_F(Investigated, WhatFailsAlwaysDoes) {
  const Journal& journal = run("minus-zero-counted", {"nonzero_coordinates family=values"});
  ASSERT_THAT(journal.investigations, SizeIs(1));
  EXPECT_EQ(journal.investigations[0].when.occurs, Occurs::Always);
  EXPECT_EQ(journal.investigations[0].when.failed, journal.investigations[0].when.tries);
  expectFails("", journal.investigations[0], "Fail");
}

TEST_F(Investigated, ASoundTargetIsAskedNothing) {
  EXPECT_THAT(run("accepts.any-level", {"family=documents"}).investigations, IsEmpty());
}

TEST_F(Investigated, EveryVerdictNamesItsWorkerAndRequest) {
  const Journal& journal = run("crash", {"family=matrix"});
  uint64_t last = 0;
  for (const JournalEntry& entry : journal.entries) {
    EXPECT_EQ(entry.worker > 0, entry.request > 0);
    last = std::max(last, entry.worker);
  }
  EXPECT_GT(last, 1u) << "each crash costs a process";
}

TEST_F(Investigated, AProcessIsWrongFromARequestOn) {
  const Journal& journal = run("wrong-from-a-request");
  ASSERT_FALSE(journal.investigations.empty());
  for (const JournalInvestigation& asked : journal.investigations) {
    EXPECT_EQ(asked.when.occurs, Occurs::AfterRequests) << asked.caseString;
  }
  EXPECT_THAT(journal.investigations[0].when.requests, AllOf(Ge(499u), Le(2000u)));
  const JournalInvestigation& shown = shownFirst();
  expectFirst(" Fail: a new worker passes this case; it fails from about the ",
              {"--after " + std::to_string(shown.when.requests)});
  EXPECT_THAT(ruleTextOf(report_, report_.clusters[0]),
              testing::StartsWith("its shortest case breaks "))
      << "rules of several operators are broken";
  expectPassesAlone(shown);
  expectFails("--after " + std::to_string(shown.when.requests), shown, "Fail: ");
}

TEST_F(Investigated, AProcessHasNoHeapsLeft) {
  const Journal& journal = run("out-of-heaps");
  ASSERT_THAT(journal.investigations, SizeIs(1)) << "the message is the kind";
  const JournalInvestigation& asked = journal.investigations[0];
  EXPECT_THAT(asked.failure, HasSubstr("0x8007000e: CreateDescriptorHeap"));
  EXPECT_EQ(asked.when.occurs, Occurs::AfterRequests);
  EXPECT_GE(asked.when.requests, 400u);
  expectFirst(" Fail: a new worker passes this case; it fails from about the ",
              {"0x8007000e: CreateDescriptorHeap", "--after "});
  expectPassesAlone(asked);
  expectFails("--after " + std::to_string(asked.when.requests), asked, "CreateDescriptorHeap");
}

TEST_F(Investigated, ADescriptorAbortsTheSecondTime) {
  const Journal& journal = run("abort-at-the-second", {"family=documents"});
  ASSERT_THAT(journal.investigations, SizeIs(1));
  const JournalInvestigation& asked = journal.investigations[0];
  EXPECT_EQ(asked.when.occurs, Occurs::AfterCase);
  expectFirst("a new worker passes this case; it fails after \"" + asked.when.after,
              {"Assertion `!bound_' failed."});
  expectPassesAlone(asked);
  expectFails("'" + asked.when.after + "'", asked, "Assertion `!bound_' failed");
}

TEST_F(Investigated, AProcessHangsFromARequestOn) {
  timeout_ = std::chrono::seconds(2);
  const Journal& journal = run("hang-from-a-request", kSixHundred);
  ASSERT_THAT(journal.investigations, SizeIs(1));
  const JournalInvestigation& asked = journal.investigations[0];
  EXPECT_EQ(asked.when.occurs, Occurs::AfterRequests);
  EXPECT_GE(asked.when.requests, 499u);
  expectFirst("a new worker passes this case; it fails from about the ", {"--after "});
  expectFails("--after " + std::to_string(asked.when.requests), asked, "Timeout");
}

TEST_F(Investigated, AProcessIsKilledAtARequest) {
  const Journal& journal = run("killed-at-a-request", kSixHundred);
  ASSERT_THAT(journal.investigations, SizeIs(1));
  const JournalInvestigation& asked = journal.investigations[0];
  EXPECT_EQ(asked.when.occurs, Occurs::AfterRequests);
  expectFirst("a new worker passes this case; it fails from about the ",
              {"the system may be short of memory", "--after "});
  expectFails("--after " + std::to_string(asked.when.requests), asked,
              "signal 9 (SIGKILL): the system may be short of memory");
}

TEST_F(Investigated, AWorkerIsWrongBesideOthers) {
  const Journal& journal = run("wrong-beside-others", {"gather_nd"}, 2);
  ASSERT_FALSE(journal.investigations.empty());
  const JournalInvestigation& asked = journal.investigations[0];
  EXPECT_EQ(asked.when.occurs, Occurs::BesideWorkers);
  EXPECT_EQ(asked.when.workers, 2u);
  EXPECT_GT(asked.when.failed, 0u);
  expectFirst("2 workers ran at once; with no other worker running, this case passes",
              {"--beside 1"});
  expectPassesAlone(asked);
  expectFails("--beside 1", asked, "Fail: ");
}

TEST_F(Investigated, OrderIsLostByChance) {
  const Journal& journal = run("order-by-chance", {"nonzero_coordinates elements>4096"});
  ASSERT_THAT(journal.investigations, SizeIs(1));
  const JournalInvestigation& asked = journal.investigations[0];
  EXPECT_EQ(asked.when.occurs, Occurs::Sometimes);
  EXPECT_GT(asked.when.failed, 0u);
  EXPECT_LT(asked.when.failed, asked.when.tries);
  EXPECT_THAT(report_.clusters, SizeIs(1));
  EXPECT_EQ(report_.clusters[0].rule.id, "nonzero_coordinates.order");
  expectFirst("passed when repeated", {"--repeat "});
  expectFails("--repeat 9", asked, "not the same in 9 runs");
}

// Has parameters for a cause, because it always fails.
TEST_F(Investigated, ValuesThatANarrowerTypeLosesAreOneFault) {
  run("tested-as-f16", {"nonzero_coordinates"});
  EXPECT_THAT(report_.clusters, SizeIs(1));
  expectFirst("with a normal number that a narrower type rounds to zero", {});
  run("moved-as-i32", {"gather_nd"});
  EXPECT_THAT(report_.clusters, SizeIs(1));
  expectFirst("(input=i64:* has=nonzero)", {});
}

TEST(CasesBefore, AreTheTiersInItsOrder) {
  const CasesBefore tier(Tier::Smoke);
  const auto all = cases(Tier::Smoke);
  const auto none = [](const Case&) { return false; };
  const auto texts = [](const std::vector<const Case*>& before) {
    std::vector<std::string> strings;
    for (const Case* each : before) strings.push_back(caseString(*each));
    return strings;
  };
  using Texts = std::vector<std::string>;
  const auto text = [&](size_t place) { return caseString(all[place]); };
  EXPECT_EQ(texts(tier.of(all[3], 2, none)), (Texts{text(1), text(2)}));
  EXPECT_EQ(texts(tier.of(all[1], 2, none)), (Texts{text(all.size() - 1), text(0)}));
  const Case stranger = parseCase("nonzero_coordinates level=6.4 input=f32:1 coords=1x1 seed=99");
  EXPECT_EQ(texts(tier.of(stranger, 1, none)), Texts{text(all.size() - 1)});
  const auto isOdd = [&](const Case& each) { return caseString(each) == text(2); };
  EXPECT_EQ(texts(tier.of(all[3], 2, isOdd)), (Texts{text(0), text(1)}));
  EXPECT_EQ(tier.of(all[3], all.size() + 5, none).size(), all.size() + 5) << "around again";
  EXPECT_THAT(tier.of(all[3], 2, [](const Case&) { return true; }), IsEmpty());
}

}  // namespace
}  // namespace dmlcts

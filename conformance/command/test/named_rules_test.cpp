// Each mutant declares the rules that it breaks. The first screen, the page, report.json and
// an expectation draft name one of them as broken, or none if it is not certain.

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "conformance/mutants/catalogue.h"
#include "conformance/run/expectations/expectations.h"
#include "conformance/run/journaling.h"
#include "conformance/run/judging/judge.h"
#include "conformance/run/lane/lane.h"
#include "conformance/run/schedule.h"
#include "reports/render/writers.h"
#include "reports/summary/summary.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

// The smoke tier's cases, prepared once for all mutants.
struct Smoke {
  ScheduleOptions options;
  Schedule schedule;
  std::vector<PreparedCase> prepared;

  Smoke() {
    options.tier = "smoke";
    schedule = chooseCases(options);
    for (const ScheduledCase& each : schedule.cases) {
      prepared.push_back(prepare(each.testCase, prepared.size() + 1));
    }
  }
};

const Smoke& smoke() {
  static const Smoke all;
  return all;
}

Journal journalOf(const Mutant& mutant) {
  const auto target = makeOracleTarget("mutant:" + mutant.name, mutant.mutation);
  Journal journal;
  journal.name = mutant.name;
  const gpu::Identity identity = target->identity();  // which hashes this program
  journal.headers = {
      makeHeader(smoke().options, smoke().schedule, identity, Strictness::Strict, "")};
  for (size_t i = 0; i < smoke().prepared.size(); ++i) {
    const PreparedCase& prepared = smoke().prepared[i];
    const auto answers = target->run(prepared.requests);
    CaseOutcome outcome{RunningCase(*prepared.testCase, i),
                        {judge(prepared, answers, {identity.maxLevel, Strictness::Strict})}};
    outcome.prepared = prepared;
    journal.entries.push_back(makeEntry(smoke().schedule.cases[i], outcome));
    journal.headerOf.push_back(0);
  }
  return journal;
}

json pageData(const Report& report) {
  std::ostringstream page;
  writeHtml(page, report);
  const std::string text = page.str();
  const std::string_view opening = "<script type=\"application/json\" id=\"data\">";
  const size_t begin = text.find(opening) + opening.size();
  return json::parse(text.substr(begin, text.find("</script>", begin) - begin));
}

// Mutants that give wrong answers which this process survives, and whose failures do not depend on
// what it did before: only a run asks that (investigation_test.cpp).
std::vector<const Mutant*> mutantsToRun() {
  std::vector<const Mutant*> all;
  for (const Mutant& mutant : mutants()) {
    const auto& [verdicts, kinds, where] = mutant.signs;
    const bool survives = std::ranges::find(verdicts, Verdict::Fail) != verdicts.end() &&
                          std::ranges::find(kinds, kind::kMalformedAnswer) == kinds.end();
    const auto history = historyMutants();
    const bool isOfProcess =
        mutant.breaks.empty() &&
        std::ranges::find(history, mutant.name, &Mutant::name) != history.end();
    if (where == Signs::Where::InCases && survives && !isOfProcess && mutant.needsTier.empty()) {
      all.push_back(&mutant);
    }
  }
  return all;
}

class NamedRules : public testing::TestWithParam<const Mutant*> {};

TEST_P(NamedRules, AreThoseThatTheMutantBreaks) {
  const Mutant& mutant = *GetParam();
  const Journal journal = journalOf(mutant);
  const Report report = summarize({&journal, 1});
  if (report.clusters.empty()) GTEST_SKIP() << "larger tiers show it";
  const Cluster& first = report.clusters.front();
  const JournalEntry& shortest = report.cases[first.shortest];
  SCOPED_TRACE(first.query + ": " + shortest.caseString);

  const std::string rule = first.rule.id;
  const auto named = [&](std::string_view id) {
    // Rejecting everything breaks the one rule that is about accepting, too.
    const bool accepts = mutant.name == "supports-nothing" && id == "tensor.elements-past-32-bits";
    return accepts || testing::Matches(Contains(id))(mutant.breaks);
  };
  const bool many = mutant.breaks.size() > 20;  // no single one need be broken in most cases
  EXPECT_TRUE(many || first.rule.broken == !mutant.breaks.empty()) << rule;
  EXPECT_TRUE(!first.rule.broken || named(rule)) << rule;

  const std::string said = ruleTextOf(report, first);
  EXPECT_EQ(said.starts_with("breaks " + rule), first.rule.broken) << said;
  EXPECT_THAT(terminalSummary(report), HasSubstr(said));
  for (const Claim& claim : report.claims) {
    EXPECT_TRUE(claim.brokenRule.empty() || named(claim.brokenRule))
        << claim.op << " " << claim.brokenRule;
  }
  const ReportDocument document = toDocument(report, 10);
  for (const json& cluster :
       {json::parse(document["clusters"][0].dump()), pageData(report)["clusters"][0]}) {
    EXPECT_EQ(cluster["rule"], rule);
    EXPECT_EQ(cluster["ruleIs"], first.rule.is());
  }
  const json drafts = json::parse(knownFailures({&journal, 1}))["expectations"];
  for (const json& draft : drafts) {
    const std::string reason = draft["reason"];
    if (!draft.contains("rule") || reason.ends_with("is not known")) continue;
    EXPECT_TRUE(named(draft["rule"].get<std::string>())) << draft;
  }
}

INSTANTIATE_TEST_SUITE_P(Mutants, NamedRules, testing::ValuesIn(mutantsToRun()),
                         [](const auto& each) {
                           return std::regex_replace(each.param->name, std::regex("[^a-z0-9]"),
                                                     "_");
                         });

}  // namespace
}  // namespace dmlcts

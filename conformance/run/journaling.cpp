#include "conformance/run/journaling.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/facts/labels.h"
#include "conformance/facts/rules_of.h"
#include "conformance/inputs/problems.h"
#include "conformance/run/environment.h"
#include "conformance/run/required_target.h"
#include "dmlcts_version.h"
#include "reports/journal/journal_members.h"

namespace dmlcts {

JournalHeader makeHeader(const ScheduleOptions& options, const Schedule& schedule,
                         const gpu::Identity& identity, Strictness strictness,
                         const std::string& commandLine) {
  JournalHeader header;
  header.suiteVersion = kSuiteVersion;
  header.suiteCommit = kSuiteCommit;
  header.commandLine = commandLine;
  header.host = hostName();
  header.startedAt = timestamp();
  header.tier = schedule.ofTier ? options.tier : "";
  header.caseFile = options.caseFile;
  header.seed = options.seed;
  header.shardIndex = options.shardIndex;
  header.shardCount = options.shardCount;
  header.queries = options.queries;
  header.levelFilter = options.level.value_or("");
  header.mode = options.mode.text();
  header.tierCases = schedule.tierCases;
  header.plannedCases = schedule.cases.size();
  header.strict = strictness == Strictness::Strict;
  header.planHash = schedule.hash;
  header.partitionHash = schedule.partitionHash;
  setIdentity(header, identity);
  return header;
}

JournalEntry describe(const Case& testCase, const PreparedCase& prepared) {
  JournalEntry entry;
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  entry.family = testCase.family;
  entry.op = operatorName(testCase.descriptor);
  entry.level = name(testCase.level);
  entry.type = info(input.type).name;
  entry.rank = static_cast<uint32_t>(input.sizes.size());
  entry.executed = testCase.expect == Expect::Execute;
  entry.mode = gpu::name(testCase.modes);
  entry.weak = prepared.weak;
  const auto rules = rulesOf(testCase);
  entry.rules = RuleIds::List(rules.begin(), rules.end());
  if (!entry.executed || (!prepared.facts && caseProblem(testCase))) return entry;
  entry.labels = wordsOf(labelsOf(testCase));
  if (const auto facts = prepared.facts ? prepared.facts : inputFactsOf(testCase)) {
    entry.has = wordsOf(facts->traits);
    entry.denormals = facts->denormals;
  }
  return entry;
}

void setJudgement(JournalEntry& entry, const Judgement& judgement) {
  entry.verdict = judgement.verdict;
  entry.message = judgement.message;
  entry.differences = judgement.differences;
  entry.kinds = judgement.kinds;
  entry.violated = judgement.violated;
  entry.observations = judgement.observations;
  entry.levelOnly = judgement.levelOnly;
}

JournalEntry makeEntry(const ScheduledCase& planned, const CaseOutcome& outcome) {
  JournalEntry entry = describe(planned.testCase, outcome.prepared);
  entry.caseString = planned.text;
  setJudgement(entry, outcome.judgement);
  entry.attempts = textsOf(outcome.tries);
  entry.workerStderr = outcome.workerStderr;
  entry.seconds = outcome.seconds;
  if (const Sent& sent = outcome.sentWhenItFailed(); sent.process) {
    entry.worker = sent.process->number;
    entry.request = sent.request;
  }
  return entry;
}

namespace {

// Converts members between identities and headers.
struct Convert {
  template <typename Value>
  void operator()(const char*, Value& to, const Value& from, Member) const {
    to = from;
  }
  void operator()(const char*, std::string& to, const Level& from, Member) const {
    to = name(from);
  }
  void operator()(const char*, Level& to, const std::string& from, Member) const {
    to = parseLevel(from).value_or(to);
  }
};

}  // namespace

void setIdentity(JournalHeader& header, const gpu::Identity& identity) {
  visitIdentities(Convert{}, header, identity);
}

gpu::Identity identityOf(const JournalHeader& header) {
  gpu::Identity identity;
  visitIdentities(Convert{}, identity, header);
  return identity;
}

std::optional<std::string> differenceOf(const gpu::Identity& now, const gpu::Identity& before) {
  const auto factsOf = [](const gpu::Identity& identity) {
    auto facts = identityFacts(identity);
    for (const auto& [limit, value] : identity.limits) facts.emplace_back("limit " + limit, value);
    return facts;
  };
  const auto are = factsOf(now);
  const auto were = factsOf(before);
  const auto quoted = [](const auto& facts, const std::string& name) {
    const auto found = std::ranges::find(facts, name, [](const auto& each) { return each.first; });
    const bool known = found != facts.end() && !found->second.empty();
    return known ? '"' + found->second + '"' : "unknown";
  };
  for (const auto* facts : {&are, &were}) {
    for (const auto& [name, value] : *facts) {
      const std::string is = quoted(are, name);
      const std::string was = quoted(were, name);
      if (is != was) return fmt::format("{} is {}, not {}", name, is, was);
    }
  }
  return std::nullopt;
}

}  // namespace dmlcts

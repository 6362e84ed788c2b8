#include "conformance/run/journaling.h"

#include "conformance/cases/labels.h"
#include "conformance/cases/rules_of.h"
#include "conformance/run/environment.h"
#include "conformance/run/identity.h"
#include "dmlcts_version.h"

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
  RuleIds::List rules;
  for (std::string_view rule : rulesOf(testCase)) rules.emplace_back(rule);
  entry.rules = std::move(rules);
  if (!entry.executed || (!prepared.facts && caseProblem(testCase))) return entry;
  entry.labels = wordsOf(labelsOf(testCase));
  if (const auto facts = prepared.facts ? prepared.facts : inputFactsOf(testCase)) {
    entry.has = wordsOf(facts->traits);
    entry.denormals = facts->denormals;
  }
  return entry;
}

JournalEntry makeEntry(const ScheduledCase& planned, const CaseOutcome& outcome) {
  JournalEntry entry = describe(planned.testCase, outcome.prepared);
  entry.caseString = planned.text;
  entry.verdict = outcome.judgement.verdict;
  entry.message = outcome.judgement.message;
  entry.differences = outcome.judgement.differences;
  entry.kinds = outcome.judgement.kinds;
  entry.violated = outcome.judgement.violated;
  entry.observations = outcome.judgement.observations;
  entry.levelOnly = outcome.judgement.levelOnly;
  entry.attempts = outcome.attempts;
  entry.workerStderr = outcome.workerStderr;
  entry.seconds = outcome.seconds;
  return entry;
}

}  // namespace dmlcts

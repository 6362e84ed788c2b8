#include "conformance/run/journaling.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/facts/labels.h"
#include "conformance/facts/rules_of.h"
#include "conformance/inputs/problems.h"
#include "conformance/run/environment.h"
#include "conformance/run/target_identity.h"
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

JournalEntry makeEntry(const ScheduledCase& planned, const CaseOutcome& outcome) {
  JournalEntry entry = describe(planned.testCase, outcome.prepared);
  entry.caseString = planned.text;
  entry.judgement() = outcome.judgement;
  entry.attempts = textsOf(outcome.tries);
  entry.workerStderr = outcome.workerStderr;
  entry.seconds = outcome.seconds;
  if (const Sent& sent = outcome.sentWhenItFailed(); sent.process) {
    entry.worker = sent.process->number;
    entry.request = sent.request;
  }
  return entry;
}

}  // namespace dmlcts

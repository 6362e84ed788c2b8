#include "fuzz/entries.h"

#include <fmt/format.h>

#include "conformance/cases/case_string.h"
#include "conformance/cases/plan_hash.h"
#include "conformance/cases/weak.h"
#include "conformance/run/environment.h"
#include "conformance/run/identity.h"
#include "conformance/run/journaling.h"
#include "dmlcts_version.h"

namespace dmlcts {

JournalHeader makeHeader(const FuzzOptions& options, const gpu::Identity& identity) {
  JournalHeader header;
  header.suiteVersion = kSuiteVersion;
  header.suiteCommit = kSuiteCommit;
  header.commandLine = options.commandLine;
  header.replayArguments = options.replayArguments;
  header.host = hostName();
  header.startedAt = timestamp();
  header.tier = kRandomTier;
  header.seed = options.seed;
  header.plannedCases = options.cases;
  header.strict = options.target.strictness == Strictness::Strict;
  header.planHash = fmt::format("{}-{}", options.sequences ? "sequences" : "fuzz", options.seed);
  PlanHash examples;
  for (const Case& each : options.examples) examples.add(caseString(each));
  if (!options.examples.empty()) header.planHash += "-" + examples.text();
  setIdentity(header, identity);
  return header;
}

JournalEntry makeEntry(const Subject& subject, std::string_view family,
                       const PreparedCase* prepared) {
  JournalEntry entry;
  if (subject.program) {
    entry.op = kSequence;
    entry.executed = true;
  } else {
    entry = describe(subject.testCase, prepared ? *prepared : PreparedCase{});
    if (!prepared) entry.weak = !weakBecause(subject.testCase).empty();
  }
  entry.caseString = textOf(subject);
  entry.family = family;
  return entry;
}

Subject subjectOf(const JournalEntry& entry) {
  Subject subject;
  if (entry.op == kSequence) {
    subject.program = parseProgram(entry.caseString);
  } else {
    subject.testCase = parseCase(entry.caseString);
  }
  return subject;
}

}  // namespace dmlcts

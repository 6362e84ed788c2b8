#include "conformance/run/journaling.h"

#include <fmt/format.h>

#include "conformance/cases/facts/labels.h"
#include "conformance/cases/facts/rules_of.h"
#include "conformance/run/environment.h"
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
  entry.attempts = outcome.attempts;
  entry.workerStderr = outcome.workerStderr;
  entry.seconds = outcome.seconds;
  return entry;
}

namespace {

using NamedTexts = std::map<std::string, std::string>;

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

// Finds the first member that differs.
struct FirstDifference {
  std::optional<std::string> first;

  void operator()(std::string_view member, const std::string& is, const std::string& was, Member) {
    compare(member, is, was);
  }
  void operator()(std::string_view member, uint32_t is, uint32_t was, Member) {
    compare(member == "vendorId" ? "vendor" : "device", fmt::format("0x{:04x}", is),
            fmt::format("0x{:04x}", was));
  }
  void operator()(std::string_view, Level is, Level was, Member) {
    compare("highest level", std::string(name(is)), std::string(name(was)));
  }
  void operator()(std::string_view member, const NamedTexts& are, const NamedTexts& were, Member) {
    const std::string what = member == "limits" ? "limit " : "SHA-256 of ";
    const auto look = [](const NamedTexts& facts, const std::string& name) {
      const auto found = facts.find(name);
      return found == facts.end() ? std::string() : found->second;
    };
    for (const NamedTexts* facts : {&are, &were}) {
      for (const auto& [name, value] : *facts) {
        compare(what + name, look(are, name), look(were, name));
      }
    }
  }

 private:
  static std::string quoted(const std::string& text) {
    return text.empty() ? "unknown" : '"' + text + '"';
  }
  void compare(std::string_view what, const std::string& is, const std::string& was) {
    if (!first && is != was) first = fmt::format("{} is {}, not {}", what, quoted(is), quoted(was));
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
  FirstDifference difference;
  visitIdentities(difference, now, before);
  return difference.first;
}

}  // namespace dmlcts

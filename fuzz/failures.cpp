#include "fuzz/failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "conformance/facts/weak.h"
#include "conformance/language/case_string.h"
#include "conformance/language/plan_hash.h"
#include "conformance/run/environment.h"
#include "conformance/run/journaling.h"
#include "conformance/run/judging/judge.h"
#include "dmlcts_version.h"

namespace dmlcts {
namespace {

constexpr int kMostRediscoveries = 8;

// Returns how many failures of one kind may turn out to be examples of the database. Each costs a
// shrinking, which takes an hour for timeouts.
int mostRediscoveries(Verdict verdict) {
  return verdict == Verdict::Timeout ? 1 : kMostRediscoveries;
}

}  // namespace

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
  header.planHash = fmt::format("fuzz-{}", options.seed);
  PlanHash examples;
  for (const Case& each : options.examples) examples.add(caseString(each));
  if (!options.examples.empty()) header.planHash += "-" + examples.text();
  setIdentity(header, identity);
  return header;
}

JournalEntry makeEntry(const Subject& subject, std::string_view family,
                       const PreparedCase* prepared) {
  JournalEntry entry = describe(subject.testCase, prepared ? *prepared : PreparedCase{});
  if (!prepared) entry.weak = !weakBecause(subject.testCase).empty();
  entry.caseString = caseString(subject.testCase);
  entry.family = family;
  return entry;
}

Subject subjectOf(const JournalEntry& entry) {
  Subject subject;
  subject.testCase = parseCase(entry.caseString);
  return subject;
}

std::string kindOf(const FuzzFailure& failure) {
  return std::string(operatorName(failure.subject.testCase.descriptor)) + " " +
         failureSignature(failure.judgement);
}

bool Failures::isOpen(const std::string& kind, Verdict verdict) const {
  const auto found = rediscoveries_.find(kind);
  return !settled_.contains(kind) &&
         (found == rediscoveries_.end() || found->second < mostRediscoveries(verdict));
}

void Failures::add(FuzzFailure failure) {
  const std::string kind = kindOf(failure);
  if (!isOpen(kind, failure.judgement.verdict)) return;
  auto& alike = waiting_[kind];
  const auto order = failure.order();
  alike.emplace(order, std::move(failure));
  // More are never investigated.
  if (alike.size() > kMostRediscoveries) alike.erase(std::prev(alike.end()));
}

std::vector<FuzzFailure> Failures::take(uint64_t reached, size_t lanes) {
  const size_t done = settled_.size() + exhausted_;
  size_t most = std::min(lanes, most_ - std::min(most_, done));
  if (enough_) most = std::min(most, enough_ - std::min(enough_, settled_.size()));
  std::vector<std::pair<std::pair<uint64_t, int>, std::string>> due;  // the first of each kind
  for (const auto& [kind, alike] : waiting_) {
    const auto order = alike.begin()->first;
    if (order.first <= reached) due.emplace_back(order, kind);
  }
  std::ranges::sort(due);
  std::vector<FuzzFailure> taken;
  for (size_t i = 0; i < std::min(most, due.size()); ++i) {
    auto& alike = waiting_[due[i].second];
    taken.push_back(std::move(alike.extract(alike.begin()).mapped()));
    if (alike.empty()) waiting_.erase(due[i].second);
  }
  return taken;
}

void Failures::forget(uint64_t reached) {
  for (auto& [kind, alike] : waiting_) {
    alike.erase(alike.begin(), alike.upper_bound({reached, 2}));
  }
  std::erase_if(waiting_, [](const auto& each) { return each.second.empty(); });
}

void Failures::settle(const std::string& kind) {
  settled_.insert(kind);
  unshrunk_.erase(kind);
  waiting_.erase(kind);
}

void Failures::rediscover(const FuzzFailure& failure) {
  const std::string kind = kindOf(failure);
  ++rediscoveries_[kind];
  if (isOpen(kind, failure.judgement.verdict)) return;
  ++exhausted_;
  waiting_.erase(kind);
}

void Failures::leave(const FuzzFailure& failure) {
  const std::string kind = kindOf(failure);
  if (!settled_.contains(kind)) unshrunk_.insert(kind);
}

int Failures::rediscoveries() const {
  int all = 0;
  for (const auto& [kind, times] : rediscoveries_) all += times;
  return all;
}

}  // namespace dmlcts

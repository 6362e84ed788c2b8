#include "fuzz/record.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/case_string.h"
#include "conformance/cases/weak.h"
#include "conformance/run/bundle.h"
#include "conformance/run/environment.h"
#include "conformance/run/identity.h"
#include "conformance/run/journaling.h"
#include "conformance/run/runner.h"
#include "dmlcts_version.h"
#include "fuzz/generators.h"

namespace dmlcts {
namespace {

// Case strings remembered to avoid repetition, some 50 MiB.
constexpr size_t kMostRemembered = 1'000'000;

// Most failures of one kind that may shrink to existing examples. Each costs a shrinking, which
// takes an hour for timeouts.
int mostRediscoveries(Verdict verdict) { return verdict == Verdict::Timeout ? 1 : 8; }

constexpr std::string_view kRelationFamily = "fuzz.relation.";
constexpr std::string_view kAgainstFamily = "fuzz.against";

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
  setIdentity(header, identity);
  return header;
}

JournalEntry makeEntry(const Case& testCase, std::string_view family,
                       const PreparedCase* prepared) {
  JournalEntry entry = describe(testCase, prepared ? *prepared : PreparedCase{});
  entry.caseString = caseString(testCase);
  entry.family = family;
  if (!prepared) entry.weak = !weakBecause(testCase).empty();
  return entry;
}

// Returns the kind; each kind is investigated once per run.
std::string kindOf(const std::string& op, const Judgement& judgement) {
  return op + " " + failureKind(judgement);
}

std::string kindOf(const FuzzFailure& failure) {
  return kindOf(std::string(operatorName(failure.subject.testCase.descriptor)), failure.judgement);
}

// Returns the bundle of a kind. If it exists, the kind has been investigated.
std::string bundleOf(const std::string& kind) {
  std::string words;
  for (char c : kind.substr(0, 60)) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_';
    const bool capital = c >= 'A' && c <= 'Z';
    if (plain || capital) {
      words += static_cast<char>(capital ? c - 'A' + 'a' : c);
    } else if (!words.ends_with('-')) {
      words += '-';
    }
  }
  while (words.ends_with('-')) words.pop_back();
  return fmt::format("bundles/{}-{:08x}", words, stableHash(kind) & 0xFFFFFFFFu);
}

}  // namespace

FuzzRecord::FuzzRecord(const FuzzOptions& options, const gpu::Identity& identity,
                       const gpu::Identity* against)
    : options_(options),
      identity_(identity),
      database_(options.database),
      start_(options.clock()),
      progress_(options.cases, options.showProgress),
      expectations_(readExpectations(identity)),
      folder_(options.folder,
              options.resume      ? RunFolder::Start::Resume
              : options.overwrite ? RunFolder::Start::Overwrite
                                  : RunFolder::Start::New,
              RunFolder::Keep::AlikeCases) {
  if (against && !options.expectations.empty()) expectationsAgainst_ = readExpectations(*against);
  resume();
  folder_.begin(makeHeader(options_, identity_));
}

Expectations FuzzRecord::readExpectations(const gpu::Identity& identity) const {
  if (options_.expectations.empty()) return {};
  return Expectations::read(options_.expectations, identity, timestamp().substr(0, 10));
}

// Restores the state of earlier sessions.
void FuzzRecord::resume() {
  std::vector<Case> ranBefore;
  folder_.readEarlier([&](const JournalEntry& entry) {
    if (entry.family == kExampleFamily) {
      replayed_.insert(entry.caseString);
      return;
    }
    pastExamples_ = true;
    const Judgement judgement{entry.verdict, entry.message, entry.differences, entry.kinds};
    if (isFinding(judgement)) keepForInvestigation(entry, judgement, ranBefore);
    if (entry.family == kAgainstFamily) return;
    ++given_;
    if (entry.family.starts_with(kRelationFamily)) return;
    done_.insert(stableHash(entry.caseString));
    if (ranBefore.size() == FuzzFailure::kRanBefore) ranBefore.erase(ranBefore.begin());
    ranBefore.push_back(parseCase(entry.caseString));
  });
}

// Keeps the first failures of a kind that was not investigated before the kill.
void FuzzRecord::keepForInvestigation(const JournalEntry& entry, const Judgement& judgement,
                                      const std::vector<Case>& ranBefore) {
  const std::string kind = kindOf(entry.op, judgement);
  const bool isNew = !kinds_.contains(kind);
  if (isNew && kinds_.size() >= options_.mostFindings) return;
  kinds_.insert(kind);
  if (std::filesystem::exists(folder_.path() / bundleOf(kind))) {
    if (isNew) ++foundBefore_;
    return;
  }
  // Keep several, because the first may turn out to be an existing example.
  if (std::ranges::count_if(uninvestigated_, [&](const FuzzFailure& each) {
        return kindOf(each) == kind;
      }) >= mostRediscoveries(entry.verdict)) {
    return;
  }
  FuzzFailure failure{{parseCase(entry.caseString), {}, nullptr, entry.family == kAgainstFamily},
                      judgement,
                      {},
                      true};
  if (entry.family.starts_with(kRelationFamily)) {
    failure.subject.relation =
        findRelation(std::string_view(entry.family).substr(kRelationFamily.size()));
  } else if (!failure.subject.against) {
    failure.ranBefore = ranBefore;
  }
  uninvestigated_.push_back(std::move(failure));
}

bool FuzzRecord::isOpen(const FuzzFailure& failure) {
  const std::lock_guard lock(mutex_);
  return !failure.ofEarlierSession || !settled_.contains(kindOf(failure));
}

bool FuzzRecord::replayed(const Example& example) const {
  // Examples beyond the replayed ones were then found by this run itself.
  return pastExamples_ || replayed_.contains(caseString(example.subject.testCase));
}

double FuzzRecord::elapsed() const {
  return std::chrono::duration<double>(options_.clock() - start_).count();
}

bool FuzzRecord::timeIsUp() const {
  if (options_.target.cancel && *options_.target.cancel) return true;
  return options_.seconds > 0 && elapsed() >= options_.seconds;
}

bool FuzzRecord::overLocked() const {
  return stopped_ || timeIsUp() || (options_.cases && given_ >= options_.cases) ||
         (options_.stopAfter && foundBefore_ + findings_.size() >= options_.stopAfter);
}

std::optional<std::string> FuzzRecord::whySkipped(const Case& testCase) const {
  auto why = expectations_.whySkipped(testCase);
  if (!why && expectationsAgainst_) why = expectationsAgainst_->whySkipped(testCase);
  return why;
}

bool FuzzRecord::over() {
  const std::lock_guard lock(mutex_);
  return overLocked();
}

std::optional<ScheduledCase> FuzzRecord::next() {
  while (true) {
    uint64_t index = 0;
    {
      const std::lock_guard lock(mutex_);
      if (overLocked()) return std::nullopt;
      if (statistics_.unhealthy()) {
        throw std::runtime_error(fmt::format(
            "health check: {} of {} generated cases had been run before; use another seed",
            statistics_.duplicates, statistics_.generated));
      }
      index = nextIndex_++;
      ++given_;  // counted before the duplicate check, so that other lanes do not take its place
    }
    ScheduledCase planned{fuzzCase(options_.seed, index), {}};
    planned.text = caseString(planned.testCase);
    const uint64_t hash = stableHash(planned.text);
    const std::lock_guard lock(mutex_);
    const bool isDone = done_.contains(hash);
    const bool isDuplicate = !isDone && started_.contains(hash);
    if (!isDone) ++statistics_.generated;
    if (isDuplicate) ++statistics_.duplicates;
    if (isDone || isDuplicate) {
      --given_;
      continue;
    }
    if (started_.size() < kMostRemembered) started_.insert(hash);
    return planned;
  }
}

bool FuzzRecord::takeRelation() {
  const std::lock_guard lock(mutex_);
  if (overLocked()) return false;
  ++given_;
  ++statistics_.relations;
  return true;
}

bool FuzzRecord::verdict(const Subject& subject, const Judgement& judgement, double seconds,
                         std::string_view family, const std::vector<std::string>& attempts,
                         const std::string& workerStderr, const PreparedCase* prepared) {
  JournalEntry entry = makeEntry(subject.testCase, family, prepared);
  entry.verdict = judgement.verdict;
  entry.message = judgement.message;
  entry.differences = judgement.differences;
  entry.violated = judgement.violated;
  entry.kinds = judgement.kinds;
  entry.observations = judgement.observations;
  entry.levelOnly = judgement.levelOnly;
  entry.attempts = attempts;
  entry.seconds = seconds;
  const std::lock_guard lock(mutex_);
  entry.workerStderr = stderr_.keep(workerStderr);
  std::string message = entry.message;
  Verdict expected =
      expectations_.apply(subject.testCase, entry.caseString, entry.verdict, entry.kinds, message);
  if (subject.against && expectationsAgainst_ && expected != Verdict::Waived) {
    expected = expectationsAgainst_->apply(subject.testCase, entry.caseString, entry.verdict,
                                           entry.kinds, message);
  }
  // A known failure need not show in every case that it might affect.
  if (expected != Verdict::UnexpectedPass) {
    entry.verdict = expected;
    entry.message = std::move(message);
  }
  folder_.write(entry);
  progress_.count(entry.verdict);
  statistics_.count(subject.testCase, entry);
  if (entry.verdict != judgement.verdict || !isFinding(judgement)) return false;
  if (family == kExampleFamily) return false;
  return kinds_.size() < options_.mostFindings && kinds_.insert(kindOf(entry.op, judgement)).second;
}

void FuzzRecord::finding(const FuzzFailure& failure, const Finding& finding,
                         const std::optional<Lane::Trial>& trial) {
  const std::lock_guard lock(mutex_);
  statistics_.shrinks += static_cast<uint64_t>(finding.steps);
  const std::string kind = kindOf(failure);
  // An example that an earlier session of this run stored just before its kill is not a
  // rediscovery.
  const bool isOld =
      !failure.ofEarlierSession || replayed_.contains(caseString(finding.subject.testCase));
  if (isOld && database_.holds(finding, identity_.target)) {
    if (++rediscoveries_[kind] < mostRediscoveries(failure.judgement.verdict)) kinds_.erase(kind);
    return;
  }
  database_.store(
      finding, identity_.target,
      fmt::format("{}, {}, {}", identity_.adapter, identity_.driver, identity_.implementation));
  // Last, because it marks the failure as investigated.
  const std::filesystem::path folder = folder_.path() / bundleOf(kind);
  if (trial && !trial->prepared.requests.empty()) {
    writeBundle(folder, {trial->prepared, finding.judgement, identity_,
                         trial->answer ? &*trial->answer : nullptr, finding.foundAs,
                         options_.replayArguments});
  }
  settled_.insert(kind);
  unshrunk_.erase(kind);
  kinds_.insert(kind);
  findings_.push_back(finding);
  if (options_.say) {
    progress_.finish();
    options_.say(fmt::format("{}. {}  bundle    {}\n", foundBefore_ + findings_.size(),
                             describe(finding, options_.replayArguments), folder.string()));
  }
}

void FuzzRecord::unshrunk(const FuzzFailure& failure) {
  const std::lock_guard lock(mutex_);
  if (const std::string kind = kindOf(failure); !settled_.contains(kind)) unshrunk_.insert(kind);
}

void FuzzRecord::workerFailure(JournalWorkerFailure workerFailure) {
  const std::lock_guard lock(mutex_);
  workerFailure.workerStderr = stderr_.keep(std::move(workerFailure.workerStderr));
  folder_.write(workerFailure);
}

void FuzzRecord::executed(uint64_t executions) {
  const std::lock_guard lock(mutex_);
  statistics_.executions += executions;
}

FuzzResult FuzzRecord::finish() {
  const std::lock_guard lock(mutex_);
  progress_.finish();
  FuzzResult result;
  result.report = folder_.writeReports();
  result.foundBefore = foundBefore_;
  result.unshrunk = unshrunk_.size();
  result.statistics = statistics_;
  result.statistics.seconds = elapsed();
  result.findings = std::move(findings_);
  result.target = identity_.target;
  result.warnings = expectations_.warnings();
  for (const std::string& problem : database_.problems()) {
    result.warnings.push_back("skipped an example: " + problem);
  }
  for (const auto& [kind, times] : rediscoveries_) result.rediscoveries += times;
  return result;
}

}  // namespace dmlcts

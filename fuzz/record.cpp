#include "fuzz/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "conformance/language/case_string.h"
#include "conformance/run/environment.h"
#include "conformance/run/replay/bundle.h"
#include "conformance/run/runner.h"
#include "fuzz/failures.h"
#include "fuzz/generators.h"
#include "reports/journal/input_file.h"
#include "reports/summary/clusters.h"

namespace dmlcts {
namespace {

// Case strings remembered to avoid repetition, some 50 MiB.
constexpr size_t kMostRemembered = 1'000'000;

constexpr uint64_t kFirstChunk = 64;  // cases of a lane

constexpr const char* kExampleList = "examples.txt";

constexpr std::string_view kRelationFamily = "fuzz.relation.";
constexpr std::string_view kAgainstFamily = "fuzz.against";

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
      folder_(options.folder, options.resume      ? RunFolder::Start::Resume
                              : options.overwrite ? RunFolder::Start::Overwrite
                                                  : RunFolder::Start::New),
      failures_(options.mostFindings, options.stopAfter) {
  if (against && !options.expectations.empty()) expectationsAgainst_ = readExpectations(*against);
  resume();
  begin();
}

Expectations FuzzRecord::readExpectations(const gpu::Identity& identity) const {
  if (options_.expectations.empty()) return {};
  return Expectations::read(options_.expectations, identity);
}

// Restores the state of earlier sessions.
void FuzzRecord::resume() {
  uint64_t last = 0;
  folder_.readEarlier([&](const JournalEntry& entry) {
    if (entry.family == kExampleFamily) {
      replayed_.insert(entry.caseString);
      return;
    }
    pastExamples_ = true;
    const Judgement judgement{entry.verdict, entry.message, entry.differences, entry.kinds};
    if (isFinding(judgement)) keepForInvestigation(entry, judgement);
    if (entry.family == kAgainstFamily) {
      disagreed_.insert(entry.number);
      return;
    }
    if (entry.family.starts_with(kRelationFamily)) {
      relationsDone_.insert(entry.number);
      return;
    }
    done_.insert(stableHash(entry.caseString));
    last = std::max(last, entry.number);
  });
  if (!options_.against || last == 0) return;
  const Chunk chunk = chunkOf(last - 1, options_.jobs);
  again_ = chunk.end - chunk.size;
}

// A failure of a kind that has no finding yet: the kill may have come before.
void FuzzRecord::keepForInvestigation(const JournalEntry& entry, const Judgement& judgement) {
  if (!caseOf(entry)) return;  // of another kind of run, which begin() refuses
  FuzzFailure failure{subjectOf(entry), judgement, entry.number};
  failure.subject.against = entry.family == kAgainstFamily;
  if (entry.family.starts_with(kRelationFamily)) {
    failure.subject.relation =
        findRelation(std::string_view(entry.family).substr(kRelationFamily.size()));
  }
  const std::string kind = kindOf(failure);
  if (failures_.settled(kind)) return;
  if (isWholeBundle(folder_.path() / bundleOf(kind))) {
    failures_.settle(kind);
    ++result_.foundBefore;
    return;
  }
  failures_.add(std::move(failure));
}

// Begins the journal, and the list of the examples that the run began with: what it finds itself is
// in the database, too, when it is resumed.
void FuzzRecord::begin() {
  const std::filesystem::path list = folder_.path() / kExampleList;
  const bool any = !folder_.journal().headers.empty();
  if (!any) folder_.folder().remove(kExampleList);
  folder_.begin(makeHeader(options_, identity_));
  if (options_.database.empty()) return;
  if (any && std::filesystem::exists(list)) {
    std::istringstream lines(readInput(list));
    std::unordered_set<std::string> names;
    for (std::string line; std::getline(lines, line);) names.insert(line);
    database_.keepOnly(names);
    return;
  }
  std::string names;
  for (const Example& each : database_.examples()) names += each.file.filename().string() + "\n";
  folder_.folder().replace({textFile(kExampleList, names)});
}

std::vector<FuzzFailure> FuzzRecord::nextFailures(size_t lanes) {
  const std::lock_guard lock(mutex_);
  if (foundEnough()) return {};
  return failures_.take(overLocked() ? UINT64_MAX : nextIndex_, lanes);
}

bool FuzzRecord::replayed(const Example& example) {
  // Past them, whatever there is was replayed.
  if (pastExamples_) return true;
  const auto found = replayed_.find(caseString(example.subject.testCase));
  if (found == replayed_.end()) return false;
  replayed_.erase(found);
  return true;
}

double FuzzRecord::elapsed() const {
  return std::chrono::duration<double>(options_.clock() - start_).count();
}

bool FuzzRecord::timeIsUp() const {
  if (options_.target.cancel && *options_.target.cancel) return true;
  return options_.seconds > 0 && elapsed() >= options_.seconds;
}

bool FuzzRecord::foundEnough() const {
  if (options_.target.cancel && *options_.target.cancel) return true;
  return failures_.foundEnough();
}

bool FuzzRecord::overLocked() const {
  return stopped_ || timeIsUp() || foundEnough() || (options_.cases && given_ >= options_.cases);
}

std::optional<std::string> FuzzRecord::whySkipped(const Case& testCase) const {
  auto why = expectations_.whySkipped(testCase);
  if (!why && expectationsAgainst_) why = expectationsAgainst_->whySkipped(testCase);
  return why;
}

FuzzRecord::Chunk FuzzRecord::chunkOf(uint64_t index, uint32_t jobs) {
  const uint64_t lanes = std::min(jobs, kMostLanes);
  Chunk chunk{kFirstChunk * lanes, kFirstChunk * lanes};
  while (chunk.end <= index) {
    chunk.size = std::min(2 * chunk.size, kLargestChunk * lanes);
    chunk.end += chunk.size;
  }
  return chunk;
}

bool FuzzRecord::beginChunk() {
  const std::lock_guard lock(mutex_);
  failures_.forget(nextIndex_);
  chunkEnd_ = chunkOf(nextIndex_, options_.jobs).end;
  return !overLocked();
}

void FuzzRecord::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

std::optional<FuzzedCase> FuzzRecord::next() {
  const std::lock_guard drawing(drawing_);
  while (true) {
    uint64_t index = 0;
    {
      const std::lock_guard lock(mutex_);
      if (overLocked() || nextIndex_ >= chunkEnd_) return std::nullopt;
      if (result_.statistics.unhealthy()) {
        throw std::runtime_error(fmt::format(
            "health check: {} of {} generated cases had been run before; use another seed",
            result_.statistics.duplicates, result_.statistics.generated));
      }
      index = nextIndex_++;
    }
    FuzzedCase next{{fuzzCase(options_.seed, index, options_.examples), {}}, index + 1, false};
    next.planned.text = caseString(next.planned.testCase);
    const uint64_t hash = stableHash(next.planned.text);
    const std::lock_guard lock(mutex_);
    const bool isDone = done_.contains(hash);
    const bool isDuplicate = started_.contains(hash);
    if (!isDone) ++result_.statistics.generated;
    if (isDuplicate) {
      if (!isDone) ++result_.statistics.duplicates;
    } else if (started_.size() < kMostRemembered) {
      started_.insert(hash);
    }
    if (!isDuplicate) ++given_;
    const bool isLast = next.number % FuzzRecord::kRelationEvery == 0;
    if (options_.relations && isLast && !overLocked()) {
      ++given_;
      if (!relationsDone_.contains(next.number)) relations_.push_back(next.number);
    }
    next.again = isDone && index >= again_;
    if (!isDuplicate && (!isDone || next.again)) return next;
  }
}

std::optional<uint64_t> FuzzRecord::nextRelation() {
  const std::lock_guard lock(mutex_);
  if (relations_.empty() || stopped_ || timeIsUp() || foundEnough()) return std::nullopt;
  const uint64_t number = relations_.front();
  relations_.pop_front();
  ++result_.statistics.relations;
  return number;
}

void FuzzRecord::verdict(const Subject& subject, uint64_t number, const Judgement& judgement,
                         double seconds, std::string_view family,
                         const std::vector<std::string>& attempts, const std::string& workerStderr,
                         const PreparedCase* prepared) {
  JournalEntry entry = makeEntry(subject, family, prepared);
  entry.number = number;
  entry.judgement() = judgement;
  entry.attempts = attempts;
  entry.workerStderr = workerStderr;
  entry.seconds = seconds;
  const std::lock_guard lock(mutex_);
  Judgement expected = judgement;
  expectations_.apply(subject.testCase, entry.caseString, expected);
  if (subject.against && expectationsAgainst_ && expected.verdict != Verdict::Waived) {
    expected.verdict = judgement.verdict;
    expectationsAgainst_->apply(subject.testCase, entry.caseString, expected);
  }
  // A known failure need not show in every case that it might affect.
  if (expected.verdict != Verdict::UnexpectedPass) entry.judgement() = std::move(expected);
  folder_.write(entry);
  progress_.count(entry.verdict);
  result_.statistics.count(subject.testCase, entry);
  if (entry.verdict != judgement.verdict || !isFinding(judgement)) return;
  if (family != kExampleFamily) failures_.add({subject, judgement, number});
}

void FuzzRecord::finding(const FuzzFailure& failure, const Finding& finding,
                         const std::optional<CaseOutcome>& trial) {
  const std::string kind = kindOf(failure);
  const std::string report = describe(finding, options_.replayArguments);
  const std::string bundle = bundleOf(kind);
  const bool known = database_.holds(finding, identity_.target);
  // The kind is this lane's, so the others go on while its files are written.
  if (!known) {
    database_.store(
        finding, identity_.target,
        fmt::format("{}, {}, {}", identity_.adapter, identity_.driver, identity_.implementation));
    // Last, because it marks the failure as investigated.
    if (trial && !trial->prepared.requests.empty()) {
      writeBundle(
          folder_.folder(), bundle,
          {trial->prepared, finding.judgement, identity_, trial->answer ? &*trial->answer : nullptr,
           finding.foundAs, options_.replayArguments});
    }
  }
  const std::lock_guard lock(mutex_);
  result_.statistics.shrinks += static_cast<uint64_t>(finding.steps);
  if (known) {
    failures_.rediscover(failure);
    return;
  }
  failures_.settle(kind);
  result_.findings.push_back(finding);
  if (options_.say) {
    progress_.finish();
    options_.say(fmt::format("{}. {}  bundle    {}\n",
                             result_.foundBefore + result_.findings.size(), report,
                             (folder_.path() / bundle).string()));
  }
}

void FuzzRecord::unshrunk(const FuzzFailure& failure) {
  const std::lock_guard lock(mutex_);
  failures_.leave(failure);
}

void FuzzRecord::workerFailure(JournalWorkerFailure workerFailure) {
  const std::lock_guard lock(mutex_);
  folder_.write(workerFailure);
}

void FuzzRecord::executed(uint64_t executions) {
  const std::lock_guard lock(mutex_);
  result_.statistics.executions += executions;
}

FuzzResult FuzzRecord::finish() {
  const std::lock_guard lock(mutex_);
  progress_.finish();
  result_.report = folder_.summarize();
  folder_.writeReports(result_.report);
  result_.unshrunk = failures_.unshrunk();
  result_.statistics.seconds = elapsed();
  for (const std::string& problem : database_.problems()) {
    result_.warnings.push_back("skipped an example: " + problem);
  }
  result_.rediscoveries = failures_.rediscoveries();
  return std::move(result_);
}

}  // namespace dmlcts

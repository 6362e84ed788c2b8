#include "fuzz/record.h"

#include <fmt/format.h>

#include "conformance/bundle.h"
#include "conformance/cases/case_string.h"
#include "conformance/cases/rules_of.h"
#include "conformance/environment.h"
#include "conformance/identity.h"
#include "conformance/runner.h"
#include "dmlcts_version.h"
#include "fuzz/generators.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

// So many case strings are remembered in order not to run them twice: some 400 MiB.
constexpr size_t kMostRemembered = 8'000'000;

// So many failures of one kind may turn out to be examples of the database. Each costs a shrinking,
// which for timeouts takes an hour.
int mostRediscoveries(Verdict verdict) { return verdict == Verdict::Timeout ? 1 : 8; }

uint64_t hashOf(std::string_view text) { return std::hash<std::string_view>{}(text); }

JournalHeader makeHeader(const FuzzOptions& options, const gpu::Identity& identity) {
  JournalHeader header;
  header.suiteVersion = kSuiteVersion;
  header.suiteCommit = kSuiteCommit;
  header.commandLine = options.commandLine;
  header.host = hostName();
  header.startedAt = timestamp();
  header.tier = "fuzz";
  header.seed = options.seed;
  header.plannedCases = options.cases;
  header.planHash = fmt::format("fuzz-{}", options.seed);
  setIdentity(header, identity);
  return header;
}

JournalEntry makeEntry(const Case& testCase, std::string_view family) {
  JournalEntry entry;
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  entry.caseString = caseString(testCase);
  entry.family = family;
  entry.op = operatorName(testCase.descriptor);
  entry.level = name(testCase.level);
  entry.type = info(input.type).name;
  entry.rank = static_cast<uint32_t>(input.sizes.size());
  entry.executed = testCase.expect == Expect::Execute;
  for (std::string_view rule : rulesOf(testCase)) entry.rules.emplace_back(rule);
  return entry;
}

// What is investigated once in a run.
std::string kindOf(const std::string& op, const Judgement& judgement) {
  return op + " " + failureKind(judgement);
}

}  // namespace

FuzzRecord::FuzzRecord(const FuzzOptions& options, const gpu::Identity& identity)
    : options_(options),
      identity_(identity),
      database_(options.database),
      progress_(options.cases, options.showProgress) {
  openJournal();
  if (!options.expectations.empty()) {
    expectations_ = Expectations::read(options.expectations, identity, timestamp().substr(0, 10));
  }
}

void FuzzRecord::openJournal() {
  journalFile_ = options_.folder / "journal.jsonl";
  const bool exists = fs::exists(journalFile_);
  if (exists && !options_.resume && !options_.overwrite) {
    throw UsageError(journalFile_.string() +
                     " holds an earlier run: --resume continues it, --overwrite starts anew");
  }
  if (exists && options_.resume) {
    const Journal journal = readJournal(journalFile_);
    if (!journal.headers.empty()) {
      const JournalHeader& before = journal.headers.front();
      if (before.seed != options_.seed) {
        throw UsageError(fmt::format("{} is the journal of another run: its seed is {}",
                                     journalFile_.string(), before.seed));
      }
      if (const auto other = differenceOf(identity_, identityOf(before))) {
        throw UsageError(journalFile_.string() + " is the journal of another run: now the " +
                         *other);
      }
    }
    // The first failure of each kind is run again: the kill may have come before it was shrunk.
    std::unordered_set<std::string> kinds;
    for (const JournalEntry& entry : journal.entries) {
      const Judgement judgement{entry.verdict, entry.message, entry.differences, entry.kinds};
      const bool again = !entry.family.starts_with("fuzz.relation.") && isFinding(judgement) &&
                         kinds.insert(kindOf(entry.op, judgement)).second;
      if (again) continue;
      done_.insert(hashOf(entry.caseString));
      ++given_;
    }
  } else if (exists) {
    fs::remove(journalFile_);
    fs::remove_all(options_.folder / "bundles");
  }
  fs::create_directories(options_.folder);
  journal_.emplace(journalFile_, makeHeader(options_, identity_), exists && options_.resume);
}

void FuzzRecord::knowAgainst(const gpu::Identity& identity) {
  const std::lock_guard lock(mutex_);
  if (expectationsAgainst_ || options_.expectations.empty()) return;
  expectationsAgainst_ =
      Expectations::read(options_.expectations, identity, timestamp().substr(0, 10));
}

double FuzzRecord::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

bool FuzzRecord::overLocked() const {
  return stopped_ || (options_.cases && given_ >= options_.cases) ||
         (options_.seconds > 0 && elapsed() >= options_.seconds) ||
         (options_.stopAfter && findings_.size() >= options_.stopAfter);
}

bool FuzzRecord::over() {
  const std::lock_guard lock(mutex_);
  return overLocked();
}

std::optional<PlannedCase> FuzzRecord::next() {
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
      ++given_;  // before it is known whether it has been run: other lanes must not take its place
    }
    PlannedCase planned{fuzzCase(options_.seed, index), {}};
    planned.text = caseString(planned.testCase);
    const uint64_t hash = hashOf(planned.text);
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
                         const std::string& workerStderr) {
  JournalEntry entry = makeEntry(subject.testCase, family);
  entry.verdict = judgement.verdict;
  entry.message = judgement.message;
  entry.differences = judgement.differences;
  entry.kinds = judgement.kinds;
  entry.levelOnly = judgement.levelOnly;
  entry.attempts = attempts;
  entry.workerStderr = workerStderr;
  entry.seconds = seconds;
  const std::lock_guard lock(mutex_);
  std::string message = entry.message;
  Verdict expected =
      expectations_.apply(subject.testCase, entry.caseString, entry.verdict, entry.kinds, message);
  if (subject.against && expectationsAgainst_ && expected != Verdict::Waived) {
    expected = expectationsAgainst_->apply(subject.testCase, entry.caseString, entry.verdict,
                                           entry.kinds, message);
  }
  // Not every case that a known failure might touch has to show it.
  if (expected != Verdict::UnexpectedPass) {
    entry.verdict = expected;
    entry.message = std::move(message);
  }
  journal_->write(entry);
  progress_.count(entry.verdict);
  statistics_.count(subject.testCase, entry.verdict);
  if (entry.verdict != judgement.verdict || !isFinding(judgement)) return false;
  if (family == kExampleFamily) return false;
  return kinds_.size() < options_.mostFindings && kinds_.insert(kindOf(entry.op, judgement)).second;
}

void FuzzRecord::finding(Finding finding, const Judgement& found,
                         const std::optional<Lane::Trial>& trial) {
  const std::lock_guard lock(mutex_);
  statistics_.shrinks += static_cast<uint64_t>(finding.steps);
  if (database_.holds(finding, identity_.target)) {
    const std::string op(operatorName(finding.subject.testCase.descriptor));
    const std::string kind = kindOf(op, found);
    if (++rediscoveries_[kind] < mostRediscoveries(found.verdict)) kinds_.erase(kind);
    return;
  }
  const std::string folder = fmt::format("bundles/{:03}", findings_.size() + 1);
  if (trial && !trial->prepared.requests.empty()) {
    writeBundle(options_.folder / folder,
                {trial->prepared, finding.judgement, identity_,
                 trial->answer ? &*trial->answer : nullptr, finding.foundAs});
  }
  database_.store(
      finding, identity_.target,
      fmt::format("{}, {}, {}", identity_.adapter, identity_.driver, identity_.implementation));
  findings_.push_back(finding);
  if (options_.say) {
    progress_.finish();
    options_.say(fmt::format("{}. {}  bundle    {}\n", findings_.size(),
                             describe(finding, options_.targetArguments),
                             (options_.folder / folder).string()));
  }
}

void FuzzRecord::executed(uint64_t executions) {
  const std::lock_guard lock(mutex_);
  statistics_.executions += executions;
}

FuzzResult FuzzRecord::finish() {
  const std::lock_guard lock(mutex_);
  journal_.reset();
  progress_.finish();
  FuzzResult result;
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

#include "conformance/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "conformance/cases/case_string.h"
#include "conformance/run/bundle.h"
#include "conformance/run/environment.h"
#include "conformance/run/expectations.h"
#include "conformance/run/identity.h"
#include "conformance/run/journaling.h"
#include "conformance/run/lanes.h"
#include "conformance/run/progress.h"
#include "conformance/run/run_folder.h"
#include "conformance/run/shrink.h"
#include "conformance/run/stderr_budget.h"
#include "reports/journal/journal.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t kOverheadSample = 400;
constexpr uint64_t kLargeCaseBytes = uint64_t{1} << 20;

// Throws UsageError, naming what differs, unless the journal can go on as `header` says.
void requireSameRun(const fs::path& file, const JournalHeader& before,
                    const JournalHeader& header) {
  const auto same = [&](std::string_view what, const auto& old, const auto& now) {
    if (old == now) return;
    throw UsageError(fmt::format("{} is the journal of another run: its {} is {}, now it is {}",
                                 file.string(), what, old, now));
  };
  if (before.sawTarget() && header.sawTarget()) {
    if (const auto other = differenceOf(identityOf(header), identityOf(before))) {
      throw UsageError(file.string() + " is the journal of another run: now the " + *other);
    }
  }
  same("way", before.via, header.via);
  same("seed", before.seed, header.seed);
  same("shard count", before.shardCount, header.shardCount);
  same("shard", before.shardIndex, header.shardIndex);
  same("plan", before.planHash, header.planHash);
  same("partition into shards", before.partitionHash, header.partitionHash);
}

// What of a run is shared between lanes.
class Session {
 public:
  // What the user gave is read before anything in the folder changes.
  Session(const RunOptions& options, const RunPlan& plan, const gpu::Identity& identity)
      : options_(options),
        plan_(plan),
        identity_(identity),
        expectations_(readExpectations(options, identity)),
        folder_(options.folder, startOf(options)) {
    beginJournal();
    progress_.emplace(todo_.size(), options.showProgress);
  }

  const std::vector<size_t>& todo() const { return todo_; }

  std::optional<size_t> next() {
    const size_t at = next_.fetch_add(1);
    if (stopped_ || at >= todo_.size()) return std::nullopt;
    return todo_[at];
  }

  void stop() { stopped_ = true; }

  // Takes a verdict down. Called by any lane.
  void record(const CaseOutcome& outcome) {
    const PlannedCase& planned = plan_.cases[outcome.index];
    JournalEntry entry = makeEntry(planned, outcome);
    const std::lock_guard lock(mutex_);
    entry.workerStderr = stderr_.keep(std::move(entry.workerStderr));
    entry.verdict = expectations_.apply(planned.testCase, planned.text, entry.verdict, entry.kinds,
                                        entry.message);
    if (isFailure(entry.verdict) && failures_.size() < options_.bundles &&
        outcome.prepared.requests.size() > 0) {
      entry.bundle = fmt::format("bundles/{:03}", outcome.index);
      writeBundle(folder_.path() / entry.bundle, {outcome.prepared, outcome.judgement, identity_,
                                                  outcome.answer, "", options_.lane.way.text()});
      failures_.push_back({outcome.index, entry.bundle, outcome.judgement});
    }
    folder_.write(entry);
    progress_->count(entry.verdict);
    recorded_.insert(outcome.index);
    casesRun_ += 1;
    executedCases_ += entry.executed ? 1 : 0;
  }

  // Takes down what befell a worker outside any case. Called by any lane.
  void record(JournalMishap mishap) {
    const std::lock_guard lock(mutex_);
    mishap.workerStderr = stderr_.keep(std::move(mishap.workerStderr));
    folder_.write(mishap);
  }

  // Takes down that no worker could be started any more, on account of the next case.
  void recordStartFailure(const std::string& words) {
    const auto next =
        std::ranges::find_if(todo_, [&](size_t index) { return !recorded_.contains(index); });
    if (next == todo_.end()) return;
    PreparedCase unprepared;
    unprepared.testCase = &plan_.cases[*next].testCase;
    record({*next, unprepared, {Verdict::InternalError, words, {}}, nullptr, {}, {}, 0});
  }

  struct BundledFailure {
    size_t index;
    std::string folder;  // relative to the journal's
    Judgement judgement;
  };
  const std::vector<BundledFailure>& bundledFailures() const { return failures_; }

  // What the expectations say of whole runs, once every case has a verdict. What a run did not meet
  // stands in its journal.
  std::vector<std::string> judgeExpectations() {
    std::vector<std::string> warnings = expectations_.warnings();
    if (expectations_.size() == 0) return warnings;
    const PlanOptions& plan = options_.plan;
    if (!plan.queries.empty() || plan.level || plan.shardCount > 1 ||
        recorded_.size() < todo_.size()) {
      warnings.emplace_back(
          "not the whole tier: whether the expectations still match as many cases as they say was "
          "not looked at");
      return warnings;
    }
    for (const std::string& line : expectations_.unused()) warnings.push_back(line);
    for (const std::string& line : expectations_.unmet()) {
      const JournalMishap mishap{"at the end of the run", Verdict::UnexpectedPass, line, ""};
      if (std::ranges::find(folder_.earlier().mishaps, mishap) == folder_.earlier().mishaps.end())
        folder_.write(mishap);
    }
    return warnings;
  }
  uint64_t casesRun() const { return casesRun_; }
  uint64_t executedCases() const { return executedCases_; }

  Report close() {
    progress_->finish();
    return folder_.writeReports();
  }

 private:
  static Expectations readExpectations(const RunOptions& options, const gpu::Identity& identity) {
    if (options.expectations.empty()) return {};
    return Expectations::read(options.expectations, identity, timestamp().substr(0, 10));
  }

  static RunFolder::Start startOf(const RunOptions& options) {
    return options.resume      ? RunFolder::Start::Resume
           : options.overwrite ? RunFolder::Start::Overwrite
                               : RunFolder::Start::New;
  }

  void beginJournal() {
    const Journal& earlier = folder_.earlier();
    const JournalHeader header = makeHeader(options_.plan, plan_, identity_, options_.commandLine);
    // A journal that was cut within its first line has no header and no verdict.
    for (const JournalHeader& before : earlier.headers) {
      requireSameRun(folder_.journalFile(), before, header);
    }
    std::unordered_map<std::string_view, const JournalEntry*> done;
    for (const JournalEntry& entry : earlier.entries) {
      if (entry.verdict == Verdict::InternalError) continue;
      done.emplace(entry.caseString, &entry);
      if (expectations_.size() > 0) expectations_.recall(entry);
    }
    for (size_t i = 0; i < plan_.cases.size(); ++i) {
      const auto found = done.find(plan_.cases[i].text);
      if (found == done.end()) {
        todo_.push_back(i);
      } else if (const JournalEntry& entry = *found->second; !entry.bundle.empty()) {
        // It may have been killed before it was shrunk.
        failures_.push_back(
            {i, entry.bundle, {entry.verdict, entry.message, entry.differences, entry.kinds}});
      }
    }
    folder_.begin(header);
  }

  const RunOptions& options_;
  const RunPlan& plan_;
  const gpu::Identity& identity_;
  std::vector<size_t> todo_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;

  std::mutex mutex_;  // of what follows
  Expectations expectations_;
  RunFolder folder_;
  std::optional<Progress> progress_;
  StderrBudget stderr_;
  std::vector<BundledFailure> failures_;
  std::unordered_set<size_t> recorded_;
  uint64_t casesRun_ = 0;
  uint64_t executedCases_ = 0;
};

void runCases(const LaneOptions& options, uint32_t jobs, const RunPlan& plan, Lane& first,
              Session& session) {
  const auto next = [&] { return session.next(); };
  const auto sink = [&](const CaseOutcome& outcome) { session.record(outcome); };
  runLanes(jobs, options, first,
           {.first = [&] { first.run(plan.cases, next, sink); },
            .others =
                [&](Lane& lane) {
                  lane.run(plan.cases, next, sink);
                  lane.finish();
                },
            .stop = [&] { session.stop(); }});
}

void shrinkFailures(const RunOptions& options, const RunPlan& plan, Lane& lane,
                    const Session& session) {
  std::unordered_set<std::string> seen;
  for (const auto& failure : session.bundledFailures()) {
    if (failure.judgement.verdict == Verdict::Timeout) continue;  // each step would cost another
    const PlannedCase& planned = plan.cases[failure.index];
    const std::string kind = failureKind(failure.judgement);
    if (!seen.insert(std::string(planned.testCase.family) + kind).second) continue;
    const fs::path bundle = options.folder / failure.folder;
    if (!fs::exists(bundle) || fs::exists(bundle / "shrunk")) continue;  // by an earlier session
    const Case smallest = shrink(planned.testCase, [&](const Case& candidate) {
      return options.lane.way.descriptor(candidate) &&
             failureKind(lane.tryCase(candidate).judgement) == kind;
    });
    if (smallest == planned.testCase) continue;
    const Lane::Trial trial = lane.tryCase(smallest);
    writeBundle(bundle / "shrunk",
                {trial.prepared, trial.judgement, lane.identity(),
                 trial.answer ? &*trial.answer : nullptr, planned.text, options.lane.way.text()});
  }
}

uint64_t tensorBytes(const Case& testCase) {
  uint64_t bytes = 0;
  for (const TensorSlot& slot : tensors(testCase.descriptor)) bytes += slot.desc->totalBytes;
  return bytes;
}

// Of executed cases spread evenly over the plan. Not measured, 0, where many cases are so large
// that moving their bytes is what takes the time.
double measureBareRate(const RunPlan& plan, Lane& lane) {
  std::vector<const Case*> executed;
  size_t large = 0;
  for (const PlannedCase& each : plan.cases) {
    if (each.testCase.expect != Expect::Execute) continue;
    if (tensorBytes(each.testCase) > kLargeCaseBytes) {
      ++large;
    } else {
      executed.push_back(&each.testCase);
    }
  }
  if (large > executed.size() / 10) return 0;
  std::vector<const Case*> sample;
  const size_t step = std::max<size_t>(1, executed.size() / kOverheadSample);
  for (size_t i = 0; i < executed.size(); i += step) sample.push_back(executed[i]);
  if (sample.empty()) return 0;
  const double seconds = lane.bareSeconds(sample);
  return seconds > 0 ? static_cast<double>(sample.size()) / seconds : 0;
}

}  // namespace

RunResult runConformance(const RunOptions& options) {
  std::optional<Session> session;
  LaneOptions laneOptions = options.lane;
  laneOptions.onMishap = [&](const JournalMishap& mishap) {
    if (session) session->record(mishap);
  };
  Lane lane(laneOptions);  // its worker starts while the plan is made
  const RunPlan plan = makePlan(options.plan);
  if (plan.cases.empty()) throw UsageError("no case matches");
  RunResult result;
  bool noWorker = false;
  gpu::Identity identity;
  try {
    identity = lane.identity();
  } catch (const WorkerStartError& error) {
    // An earlier run is not given up for a target that does not start.
    if (options.overwrite && fs::exists(options.folder / "journal.jsonl")) throw;
    result.stopped = error.what();
    noWorker = true;
  }
  session.emplace(options, plan, identity);

  const auto start = Clock::now();
  try {
    if (!noWorker) runCases(laneOptions, options.jobs, plan, lane, *session);
  } catch (const WorkerStartError& error) {
    result.stopped = error.what();
    noWorker = true;
  } catch (const WorkersLost& error) {
    result.stopped = error.what();
    session->record({"in a row", Verdict::Crash, result.stopped, ""});
  }
  const bool cancelled = options.lane.cancel && *options.lane.cancel;
  if (cancelled) result.stopped = "told to stop";
  if (noWorker && !cancelled) session->recordStartFailure(result.stopped);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result.casesRun = session->casesRun();
  result.executedCases = session->executedCases();

  if (result.stopped.empty()) {
    shrinkFailures(options, plan, lane, *session);
    if (options.measureOverhead) result.bareCasesPerSecond = measureBareRate(plan, lane);
    lane.finish();
  }
  result.warnings = session->judgeExpectations();

  result.report = session->close();
  return result;
}

}  // namespace dmlcts

#include "conformance/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "conformance/facts/query.h"
#include "conformance/inputs/inputs.h"
#include "conformance/inputs/streamed_inputs.h"
#include "conformance/language/case_string.h"
#include "conformance/run/cause_bundles.h"
#include "conformance/run/environment.h"
#include "conformance/run/expectations/expectations.h"
#include "conformance/run/investigation.h"
#include "conformance/run/journaling.h"
#include "conformance/run/progress.h"
#include "conformance/run/run_folder.h"
#include "conformance/tiers/tiers.h"
#include "reference/counted.h"
#include "reports/journal/input_file.h"
#include "reports/journal/journal.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t kOverheadSample = 3600;
constexpr size_t kOverheadTurns = 9;
constexpr uint64_t kLargeCaseBytes = uint64_t{1} << 20;

// The state of a run that lanes share.
class RunState {
 public:
  // Reads the user's files before it changes anything in the folder.
  RunState(const RunOptions& options, const Schedule& schedule, const gpu::Identity& identity)
      : options_(options),
        schedule_(schedule),
        identity_(identity),
        expectations_(readExpectations(options, schedule, identity)),
        folder_(options.folder, startOf(options)) {
    beginJournal();
    uint64_t cost = 0;
    for (const size_t index : todo_) cost += estimatedCost(schedule.cases[index].testCase);
    progress_.emplace(todo_.size(), options.showProgress, cost);
  }

  std::optional<size_t> next() {
    const size_t at = next_.fetch_add(1);
    if (stopped_ || at >= todo_.size()) return std::nullopt;
    return todo_[at];
  }

  void stop() { stopped_ = true; }

  std::optional<std::string> whySkipped(const Case& testCase) const {
    return expectations_.whySkipped(testCase);
  }

  // Journals a verdict and returns true, unless an earlier verdict has ended the run. Then the case
  // is left for a resumed run. Thread-safe.
  bool record(const CaseOutcome& outcome) {
    const size_t index = *outcome.place;
    const ScheduledCase& planned = schedule_.cases[index];
    JournalEntry entry = makeEntry(planned, outcome);
    const std::lock_guard lock(mutex_);
    if (failedFast_) return false;
    expectations_.apply(planned.testCase, planned.text, entry);
    folder_.write(entry);
    failuresSeen_.add(entry, index, outcome.sentWhenItFailed());
    progress_->count(entry.verdict, estimatedCost(planned.testCase));
    recorded_.insert(index);
    if (failsRun(entry.verdict) || entry.verdict == Verdict::InternalError) stopIfFailFast();
    if (entry.verdict != Verdict::Skipped) casesRun_ += 1;
    return !failedFast_;
  }

  // Journals a worker failure. Thread-safe.
  void recordFailure(JournalWorkerFailure workerFailure) {
    const std::lock_guard lock(mutex_);
    folder_.write(workerFailure);
    stopIfFailFast();
  }

  // Asks when its failures occur, and journals the answers. No lane may be at work.
  void investigate(Investigation& investigation) {
    if (failuresSeen_.kinds().empty()) return;
    progress_->say("asking when the failures occur");
    investigation.ask(failuresSeen_,
                      [&](const JournalInvestigation& answer) { folder_.write(answer); });
  }

  // True if a failure ended the run before its last case.
  bool failedFast() const { return failedFast_ && recorded_.size() < todo_.size(); }

  // Journals that no worker could be started, as the next case's verdict if there is one.
  void recordStartFailure(const std::string& message) {
    const auto next =
        std::ranges::find_if(todo_, [&](size_t index) { return !recorded_.contains(index); });
    if (next == todo_.end()) {  // another lane had the last one
      recordFailure({"when a worker was started", Verdict::InternalError, message, ""});
      return;
    }
    record({RunningCase(schedule_.cases[*next].testCase, *next),
            {{Verdict::InternalError, message, {}}}});
  }

  // Checks the expectations about whole runs, once every case has a verdict. Journals unmet ones.
  std::vector<std::string> judgeExpectations() {
    std::vector<std::string> warnings;
    if (expectations_.size() == 0) return warnings;
    const ScheduleOptions& schedule = options_.schedule;
    if (schedule.given || !schedule.queries.empty() || schedule.level || schedule.only ||
        schedule.shardCount > 1 || recorded_.size() < todo_.size()) {
      warnings.emplace_back(
          "not the whole tier, so expectations that no case met were not looked for");
      return warnings;
    }
    if (std::string line = expectations_.unused(); !line.empty()) {
      warnings.push_back(std::move(line));
    }
    for (const std::string& line : expectations_.unmet()) {
      const JournalWorkerFailure workerFailure{"at the end of the run", Verdict::UnexpectedPass,
                                               line, ""};
      const auto& workerFailures = folder_.journal().workerFailures;
      if (std::ranges::find(workerFailures, workerFailure) == workerFailures.end())
        folder_.write(workerFailure);
    }
    return warnings;
  }
  bool anyVerdict() const { return !folder_.journal().entries.empty(); }
  uint64_t casesRun() const { return casesRun_; }

  // Writes the reports; before them the bundles, if `bundles`.
  Report close(bool bundles) {
    progress_->say("writing the report");
    const std::map<std::string, std::string> earlier = earlierBundles();
    Report report = folder_.summarize();
    if (bundles) {
      writeBundles({options_.lane, schedule_, options_.schedule.tier, options_.jobs,
                    folder_.folder(), options_.replayArguments, options_.bundles, earlier},
                   report, [&](size_t entry, const std::string& bundle) {
                     const std::string& of = report.cases[entry].caseString;
                     report.cases[entry].bundle = bundle;
                     const auto before = earlier.find(of);
                     if (before != earlier.end() && before->second == bundle) return;
                     folder_.write(JournalBundle{of, bundle});
                   });
    }
    folder_.writeReports(report);
    progress_->finish();
    return report;
  }

 private:
  // The bundles of earlier sessions, by case string. A journal may come from a stranger: only a
  // name that we give is one of ours.
  std::map<std::string, std::string> earlierBundles() const {
    std::map<std::string, std::string> ours = folder_.journal().bundles;
    std::erase_if(ours, [](const auto& each) {
      constexpr std::string_view kFolder = "bundles/";
      const std::string& bundle = each.second;
      return !bundle.starts_with(kFolder) || bundle.size() == kFolder.size() ||
             bundle.find_first_not_of("0123456789", kFolder.size()) != bundle.npos;
    });
    return ours;
  }

  void stopIfFailFast() {
    if (options_.failFast) stopped_ = failedFast_ = true;
  }

  static Expectations readExpectations(const RunOptions& options, const Schedule& schedule,
                                       const gpu::Identity& identity) {
    if (options.expectations.empty()) return {};
    const Reading reading;  // looking for a case of each query may take long
    Expectations read =
        Expectations::read(options.expectations, identity, options.lane.mode.text());
    if (const std::string query = read.queryOfNoCase(schedule.cases); !query.empty()) {
      throw UsageError(fmt::format("{}: no case of any tier matches \"{}\"{}",
                                   options.expectations.string(), query,
                                   whyNothingMatches({&query, 1})));
    }
    return read;
  }

  static RunFolder::Start startOf(const RunOptions& options) {
    return options.resume      ? RunFolder::Start::Resume
           : options.overwrite ? RunFolder::Start::Overwrite
                               : RunFolder::Start::New;
  }

  void beginJournal() {
    std::unordered_map<std::string_view, size_t> indexOf;
    if (options_.resume) {
      for (size_t i = 0; i < schedule_.cases.size(); ++i) indexOf[schedule_.cases[i].text] = i;
    }
    std::vector<bool> done(schedule_.cases.size());
    folder_.readEarlier([&](const JournalEntry& entry) {
      if (entry.verdict == Verdict::InternalError) return;
      if (expectations_.size() > 0) expectations_.recall(entry);
      const auto found = indexOf.find(entry.caseString);
      if (found == indexOf.end() || done[found->second]) return;
      done[found->second] = true;
    });
    for (size_t i = 0; i < done.size(); ++i) {
      if (!done[i]) todo_.push_back(i);
    }
    for (const JournalInvestigation& each : folder_.journal().investigations) {
      failuresSeen_.leaveOut(each.failure);
    }
    std::unordered_set<std::string> bundles;
    for (const auto& [text, bundle] : earlierBundles()) bundles.insert(bundle);
    JournalHeader header = makeHeader(options_.schedule, schedule_, identity_,
                                      options_.lane.strictness, options_.commandLine);
    if (!options_.chosenBy.empty()) header.queries.push_back(options_.chosenBy);
    header.worker = options_.worker;
    header.replayArguments = options_.replayArguments;
    header.failFast = options_.failFast;
    header.failedOf = options_.failedOf;
    folder_.begin(header, bundles);
  }

  const RunOptions& options_;
  const Schedule& schedule_;
  const gpu::Identity& identity_;
  std::vector<size_t> todo_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;

  std::mutex mutex_;  // guards the members below
  bool failedFast_ = false;
  Expectations expectations_;
  RunFolder folder_;
  std::optional<Progress> progress_;
  FailuresSeen failuresSeen_;
  std::unordered_set<size_t> recorded_;
  uint64_t casesRun_ = 0;
};

void runCases(const LaneOptions& options, uint32_t jobs, const Schedule& schedule, Lane& first,
              RunState& run, TimeSpent& spent) {
  Lanes lanes(jobs, options, first);
  const auto runLane = [&](size_t number) {
    Lane& lane = lanes[number];
    lane.run(
        schedule.cases, [&] { return run.next(); },
        [&](const CaseOutcome& outcome) {
          if (!run.record(outcome)) lane.stop();
        });
  };
  lanes.run(runLane, [&] { run.stop(); });
  for (size_t i = 0; i < lanes.size(); ++i) spent += lanes[i].spent();
  lanes.finishOthers();
}

// If a single worker ran all cases, starts another one and describes how it differs, or returns "".
// A report is about the worker command, not about one process.
std::string differenceOfRestartedWorker(const LaneOptions& options, const gpu::Identity& identity) {
  if (options.command.onThread) return "";
  try {
    Lane again(options);
    const auto difference = differenceOf(again.identity(), identity);
    again.finish();
    return difference ? "it hosts something else: the " + *difference : "";
  } catch (const WorkerStartError& error) {
    return options.cancel && *options.cancel ? "" : error.what();
  }
}

// Runs cases spread evenly over the schedule in turns: some by the bare API, then the same by the
// harness. Returns the harness's rate over the bare one, of each turn; none if many cases are so
// large that transfers dominate, or if the target has no bare loop.
std::vector<double> measureOverBareLoop(const Schedule& schedule, Lane& lane) {
  std::vector<const ScheduledCase*> executed;
  for (const ScheduledCase& each : schedule.cases) {
    if (each.testCase.expect == Expect::Execute) executed.push_back(&each);
  }
  const size_t large = std::erase_if(
      executed, [](const auto* each) { return tensorBytes(each->testCase) > kLargeCaseBytes; });
  if (large > executed.size() / 10) return {};
  const size_t step = std::max<size_t>(1, executed.size() / kOverheadSample);
  std::vector<double> ratios;
  for (size_t turn = 0; turn < kOverheadTurns; ++turn) {
    std::vector<ScheduledCase> cases;
    for (size_t i = turn * step; i < executed.size(); i += kOverheadTurns * step) {
      cases.push_back(*executed[i]);
    }
    const double bare = lane.bareSeconds(cases);
    if (bare <= 0) return {};
    const auto start = Clock::now();
    size_t next = 0;
    lane.run(
        cases, [&] { return next < cases.size() ? std::optional(next++) : std::nullopt; },
        [](const auto&) {});
    ratios.push_back(bare / std::chrono::duration<double>(Clock::now() - start).count());
  }
  return ratios;
}

// Lists the run's cases, and says so on the progress line.
Schedule scheduleOf(const RunOptions& options) {
  Progress progress(0, options.showProgress);
  if (const auto tier = parseTier(options.schedule.tier); tier && !options.schedule.given) {
    uint64_t cases = 0;
    for (const auto& [place, count] : casesInTier(*tier)) cases += count;
    const char* doing = options.schedule.queries.empty() ? "preparing" : "choosing among";
    progress.say(fmt::format("{} {}", doing, counted(cases, "case")).c_str());
  }
  ScheduleOptions asked = options.schedule;
  asked.cancelled = [&] { return options.lane.cancel && *options.lane.cancel; };
  Schedule schedule = chooseCases(asked);
  if (schedule.cases.empty()) throw UsageError("no case is in this shard");
  return schedule;
}

}  // namespace

RunResult runConformance(const RunOptions& options) {
  std::optional<RunState> run;
  LaneOptions laneOptions = options.lane;
  laneOptions.onWorkerFailure = [&](const JournalWorkerFailure& workerFailure) {
    if (run) run->recordFailure(workerFailure);
  };
  laneOptions.whySkipped = [&](const Case& testCase) {
    return run ? run->whySkipped(testCase) : std::nullopt;
  };
  Lane lane(laneOptions);  // its worker starts meanwhile
  const Schedule schedule = scheduleOf(options);
  if (options.onChosen) options.onChosen(schedule);
  const auto cancelled = [&] { return options.lane.cancel && *options.lane.cancel; };
  RunResult result;
  bool noWorker = false;
  gpu::Identity identity;
  try {
    Progress progress(0, options.showProgress);
    progress.say("waiting for the worker's hello");
    identity = lane.identity();
  } catch (const WorkerStartError& error) {
    if (cancelled()) throw Interrupted();
    // An earlier run is not given up for a target that does not start.
    if (options.overwrite && fs::exists(options.folder / "journal.jsonl")) throw;
    result.stopped = error.what();
    result.noWorker = noWorker = true;
    if (options.onNoWorker) options.onNoWorker(result.stopped);
  }
  run.emplace(options, schedule, identity);

  const auto start = Clock::now();
  try {
    if (!noWorker) runCases(laneOptions, options.jobs, schedule, lane, *run, result.spent);
  } catch (const AnotherTarget& error) {
    result.stopped = error.what();
    noWorker = result.anotherTarget = true;
  } catch (const WorkerStartError& error) {
    result.stopped = error.what();
    noWorker = true;
  } catch (const WorkersWriteText& error) {
    result.stopped = error.what();
    noWorker = true;
  } catch (const WorkersLost& error) {
    result.stopped = error.what();
    run->recordFailure({"in a row", Verdict::Crash, result.stopped, ""});
  }
  if (cancelled()) {
    result.stopped = run->anyVerdict() ? "told to stop" : Interrupted().what();
    result.noWorker = false;
  }
  if (noWorker && !cancelled()) run->recordStartFailure(result.stopped);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result.casesRun = run->casesRun();
  result.lanes = options.jobs;

  const bool failedFast = result.stopped.empty() && run->failedFast();
  if (failedFast) result.stopped = "at the first failure, as --fail-fast asks";
  if (result.stopped.empty() || failedFast) {
    Investigation investigation(laneOptions, lane, schedule, options.schedule.tier, options.jobs);
    run->investigate(investigation);
    const bool ordinary = options.lane.mode.executions().empty();  // like the bare loop
    if (options.measureOverhead && ordinary && !failedFast)
      result.overBareLoop = measureOverBareLoop(schedule, lane);
    lane.finish();
    if (options.jobs == 1 && !failedFast) {
      if (const std::string other = differenceOfRestartedWorker(laneOptions, identity);
          !other.empty())
        run->recordFailure({"when started again", Verdict::InternalError, other, ""});
    }
  }
  result.warnings = run->judgeExpectations();
  if (schedule.unknown > 0) {
    result.warnings.push_back(
        fmt::format("{} of {} failed cases of {} are not in the tier any more", schedule.unknown,
                    options.schedule.only->size(), options.failedOf));
  }
  if (const auto count = std::ranges::count_if(
          schedule.cases, [](const auto& each) { return asksOutOfRange(each.testCase); })) {
    result.warnings.push_back(
        fmt::format("index out of range in {}: what it gives is undefined, and not compared",
                    counted(static_cast<uint64_t>(count), "case")));
  }

  result.report = run->close(result.stopped.empty() || failedFast);
  return result;
}

}  // namespace dmlcts

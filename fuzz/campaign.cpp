#include "fuzz/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "conformance/language/case_string.h"
#include "conformance/run/lane/lane.h"
#include "fuzz/generators.h"
#include "fuzz/record.h"
#include "reference/counted.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

std::string perSecond(uint64_t number, double seconds, std::string_view noun) {
  return counted(seconds > 0 ? std::llround(static_cast<double>(number) / seconds) : 0, noun) +
         "/s";
}

// Returns part / whole in percent; 0 if whole is 0.
double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

using Clock = std::chrono::steady_clock;

constexpr size_t kRanBefore = 32;  // earlier cases of a lane that a failure may depend on

// One thread's share of a run: a lane for the cases of a chunk, and a tester for relations and
// whatever failed.
class FuzzLane {
 public:
  FuzzLane(const FuzzOptions& options, FuzzRecord& record, Lane& lane)
      : options_(options),
        record_(record),
        lane_(lane),
        tester_(options.target, options.against ? &*options.against : nullptr,
                [this] { return record_.timeIsUp(); }) {}

  uint64_t executions() const { return tester_.executions(); }

  void replay(const Example& example, FuzzResult& result) {
    const auto start = Clock::now();
    const Judgement judgement = tester_.test(example.subject);
    ++result.examples;
    record_.verdict(example.subject, 0, judgement, secondsSince(start), kExampleFamily);
    if (isFinding(judgement)) {
      ++result.examplesFailing;
    } else if (options_.prune && judgement.verdict == Verdict::Pass &&
               example.target == plainLine(tester_.identity().target)) {
      record_.database().remove(example);
    }
  }

  void runChunk() {
    runCases();
    if (options_.against) compareCases();
  }

  void holdRelations() {
    constexpr uint64_t kEvery = FuzzRecord::kRelationEvery;
    const auto all = relations();
    while (const auto number = record_.nextRelation()) {
      const uint64_t stretch = *number / kEvery - 1;
      const Relation& relation = all[stretch % all.size()];
      // The first case of the stretch that it applies to.
      for (uint64_t index = stretch * kEvery; index < *number; ++index) {
        const Case testCase = fuzzCase(options_.seed, index, options_.examples);
        if (!relation.applies(testCase) || record_.whySkipped(testCase)) continue;
        hold(relation, testCase, *number);
        break;
      }
    }
  }

  void investigate(const FuzzFailure& failure) {
    const auto finding = dmlcts::investigate(failure.subject, failure.judgement, ranBefore(failure),
                                             caseString(failure.subject.testCase), tester_);
    if (finding) {
      record_.finding(failure, *finding, tester_.lastTrial());
    } else {
      record_.unshrunk(failure);
    }
  }

 private:
  size_t lanes() const { return std::min(options_.jobs, FuzzRecord::kMostLanes); }

  static double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  void runCases() {
    chunk_.clear();
    chunk_.reserve(FuzzRecord::kLargestChunk * lanes());  // prepared cases point into it
    ran_.clear();
    const auto next = [&]() -> std::optional<size_t> {
      auto fuzzed = record_.next();
      if (!fuzzed) return std::nullopt;
      chunk_.push_back(std::move(fuzzed->planned));
      ran_.push_back({.number = fuzzed->number, .again = fuzzed->again});
      return chunk_.size() - 1;
    };
    lane_.run(chunk_, next, [&](const CaseOutcome& outcome) { take(outcome); });
  }

  void take(const CaseOutcome& outcome) {
    if (record_.timeIsUp()) lane_.stop();  // what else is in flight might take hours
    const Case& testCase = outcome.testCase();
    Ran& ran = ran_[*outcome.place];
    if (options_.against) {
      ran.answer = fingerprint(outcome.prepared, outcome.judgement, outcome.answer);
      ran.judgement = outcome.judgement;
    }
    if (ran.again) return;
    const Subject subject{testCase, {}, nullptr, false};
    record_.verdict(subject, ran.number, outcome.judgement, outcome.seconds, testCase.family,
                    textsOf(outcome.tries), outcome.workerStderr, &outcome.prepared);
  }

  // Returns the cases that come before it in the sequence, which it may depend on.
  std::vector<Case> ranBefore(const FuzzFailure& failure) const {
    std::vector<Case> cases;
    const Subject& subject = failure.subject;
    if (subject.relation || subject.against) return cases;
    const size_t most = kRanBefore * lanes();
    for (uint64_t index = failure.number - 1; index > 0 && cases.size() < most; --index) {
      Case each = fuzzCase(options_.seed, index - 1, options_.examples);
      if (!record_.whySkipped(each)) cases.push_back(std::move(each));
    }
    std::ranges::reverse(cases);
    return cases;
  }

  // Runs the same cases on the other target.
  void compareCases() {
    if (!against_) against_.emplace(*options_.against);
    size_t at = 0;
    const auto next = [&]() -> std::optional<size_t> {
      return at < chunk_.size() && !record_.timeIsUp() ? std::optional(at++) : std::nullopt;
    };
    against_->run(chunk_, next, [&](const CaseOutcome& outcome) {
      if (record_.timeIsUp()) against_->stop();
      const auto there = fingerprint(outcome.prepared, outcome.judgement, outcome.answer);
      const Ran& here = ran_[*outcome.place];
      if (!here.answer || !there || *here.answer == *there) return;
      if (record_.disagreed(here.number)) return;
      const Subject subject{outcome.testCase(), {}, nullptr, true};
      const Judgement judgement =
          disagreement(here.judgement, outcome.judgement, against_->identity().target);
      record_.verdict(subject, here.number, judgement, outcome.seconds, "fuzz.against");
    });
  }

  void hold(const Relation& relation, const Case& testCase, uint64_t number) {
    Subject subject{testCase, {}, &relation, false};
    const auto start = Clock::now();
    const Judgement judgement = tester_.explore(subject);
    if (judgement.verdict == Verdict::NotAsked && record_.timeIsUp()) return;
    // A separate name, because the case itself already has a verdict.
    const std::string family = fmt::format("fuzz.relation.{}", relation.name);
    record_.verdict(subject, number, judgement, secondsSince(start), family);
  }

  // A case of the chunk, and with --against this target's answer to it.
  struct Ran {
    uint64_t number = 0;
    bool again = false;                   // has its verdict
    std::optional<uint64_t> answer = {};  // fingerprint
    Judgement judgement = {};
  };

  const FuzzOptions& options_;
  FuzzRecord& record_;
  Lane& lane_;
  std::optional<Lane> against_;
  Tester tester_;
  std::vector<ScheduledCase> chunk_;
  std::vector<Ran> ran_;
};

}  // namespace

FuzzResult fuzz(const FuzzOptions& asked) {
  std::optional<FuzzRecord> begun;
  FuzzOptions options = asked;
  options.target.whySkipped = [&](const Case& testCase) {
    return begun ? begun->whySkipped(testCase) : std::nullopt;
  };
  if (options.against) options.against->whySkipped = options.target.whySkipped;
  LaneOptions laneOptions = options.target;
  laneOptions.onWorkerFailure = [&](const JournalWorkerFailure& workerFailure) {
    if (begun) begun->workerFailure(workerFailure);
  };
  Lane lane(laneOptions);
  const gpu::Identity identity = lane.identity();
  std::optional<gpu::Identity>
      against;  // started here, so that a failure to start shows before anything is written
  if (options.against) against = Lane(*options.against).identity();
  FuzzRecord& record = begun.emplace(options, identity, against ? &*against : nullptr);
  std::deque<FuzzLane> fuzzLanes;
  fuzzLanes.emplace_back(options, record, lane);
  FuzzResult& result = record.result();
  for (const std::string& problem : record.database().problems()) {
    if (options.say) options.say("skipped an example: " + plainLine(problem) + "\n");
  }
  std::vector<Example> all = record.database().examples();
  for (const Case& each : options.examples) all.push_back({{}, "", {each, {}, nullptr, false}});
  for (const Example& example : all) {
    if (record.replayed(example)) continue;
    if (record.timeIsUp()) {
      ++result.examplesLeft;
    } else {
      fuzzLanes.front().replay(example, result);
    }
  }
  const auto cancelled = [&] { return options.target.cancel && *options.target.cancel; };
  try {
    Lanes lanes(options.jobs, laneOptions, lane);
    for (size_t i = 1; i < lanes.size(); ++i) fuzzLanes.emplace_back(options, record, lanes[i]);
    const auto each = [&](const std::function<void(size_t)>& work) {
      lanes.run(work, [&] { record.stop(); });
    };
    while (true) {
      for (auto failures = record.nextFailures(lanes.size()); !failures.empty();
           failures = record.nextFailures(lanes.size())) {
        each([&](size_t i) {
          if (i < failures.size()) fuzzLanes[i].investigate(failures[i]);
        });
      }
      if (!record.beginChunk()) break;
      each([&](size_t i) { fuzzLanes[i].runChunk(); });
      each([&](size_t i) { fuzzLanes[i].holdRelations(); });
    }
    lane.finish();
    lanes.finishOthers();
  } catch (const WorkersLost& error) {
    result.stopped = error.what();
    record.workerFailure({"in a row", Verdict::Crash, result.stopped, ""});
  } catch (const WorkersWriteText& error) {
    result.stopped = error.what();  // which the journal has
  } catch (const WorkerStartError&) {
    if (!cancelled()) throw;  // else nobody waited for it
  }
  for (const FuzzLane& each : fuzzLanes) record.executed(each.executions());
  if (cancelled()) result.stopped = "told to stop";
  return record.finish();
}

void FuzzStatistics::count(const Case& testCase, const JournalEntry& entry) {
  cases += 1;
  if (testCase.expect == Expect::Reject) rejects += 1;
  const auto values = parseLabels(entry.labels);
  if (!values) return;
  for (size_t i = 0; i < kParameters; ++i) labels[i][(*values)[i]] += 1;
}

std::string FuzzStatistics::text() const {
  std::string out =
      fmt::format("this session: {} in {:.1f} s: {}; {} compared outputs of several cases\n",
                  counted(cases, "case"), seconds, perSecond(cases, seconds, "case"), relations);
  out += fmt::format("rejected {:.1f} %, discarded {:.1f} % as run before; shrunk in {}\n",
                     percent(rejects, cases), percent(duplicates, generated),
                     counted(shrinks, "step"));
  for (size_t i = 0; i < kParameters; ++i) {
    const auto parameter = static_cast<Parameter>(i);
    std::vector<std::pair<uint64_t, std::string_view>> shares;
    uint64_t executed = 0;
    for (const auto& [value, number] : labels[i]) {
      executed += number;
      shares.emplace_back(number, valuesOf(parameter)[value]);
    }
    std::ranges::stable_sort(shares, std::greater{}, [](const auto& share) { return share.first; });
    std::string line;
    for (const auto& [number, word] : shares) {
      line +=
          fmt::format("{}{} {:.1f} %", line.empty() ? "" : ", ", word, percent(number, executed));
    }
    out += fmt::format("{:<15} {}\n", name(parameter), line);
  }
  return out;
}

}  // namespace dmlcts

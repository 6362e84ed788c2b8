#include "conformance/run/lane/lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include "conformance/run/judging/in_pieces.h"

namespace dmlcts {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kBatchesInFlight = 2;
constexpr size_t kMostCases = 64;               // in a batch
constexpr uint64_t kMostBatchBytes = 8u << 20;  // of a batch's images; a single case may have more
constexpr double kBatchSeconds = 0.25;          // intended duration of a batch
constexpr int kMostAsked = 3;                   // workers that may die before they get a request
constexpr size_t kBeforeInFlight = 16;          // cases of sendBefore()

LaneOptions withPoison(LaneOptions options) {
  if (options.poison == 0) options.poison = uint64_t{std::random_device()()} << 32 | 1;
  return options;
}

}  // namespace

Lane::Lane(LaneOptions options)
    : options_(withPoison(std::move(options))),
      worker_(options_),
      exchange_(options_, worker_),
      blame_(worker_, exchange_),
      levelGate_(options_, worker_, exchange_) {}

Batch Lane::assemble(const std::vector<ScheduledCase>& cases, const Next& next,
                     const Record& record) {
  Batch batch;
  if (!alone_.empty()) {
    batch.push_back(std::move(alone_.front()));
    alone_.pop_front();
    exchange_.prepareAgain(batch.front());
    return batch;
  }
  const size_t size =
      blame_.sendsOneByOne()
          ? 1
          : static_cast<size_t>(std::clamp(kBatchSeconds / std::max(secondsPerCase_, 1e-6), 1.0,
                                           double{kMostCases}));
  uint64_t bytes = 0;
  while (batch.size() < size && bytes < kMostBatchBytes && !over()) {
    const auto index = next();
    if (!index) break;
    const Case& testCase = cases[*index].testCase;
    RunningCase running(testCase, index);
    std::optional<Judgement> judgement = exchange_.whyNotSent(testCase);
    if (!judgement) {
      try {
        exchange_.prepareCase(running);
      } catch (const std::exception& error) {
        judgement = Judgement{Verdict::InternalError, error.what(), {}};
      }
    }
    if (judgement) {
      recordOutcome({std::move(running), {*judgement}}, record);
      continue;
    }
    if (exchange_.goesAlone(testCase)) {
      alone_.push_back(std::move(running));
      break;
    }
    bytes += running.prepared.bytes;
    batch.push_back(std::move(running));
    worker_->progress();
  }
  return batch;
}

bool Lane::hasRoom(const std::deque<Batch>& flight) const {
  if (flight.empty()) return true;
  const bool alone = exchange_.goesAlone(flight.front().front().testCase()) ||
                     (!alone_.empty() && exchange_.goesAlone(alone_.front().testCase()));
  return !alone && flight.size() < kBatchesInFlight;
}

void Lane::requireWorkers(const std::string& why) const {
  if (!worker_.tooManyLost()) return;
  throw WorkersLost(
      fmt::format("workers lost in a row or between cases: {}{}", worker_.lost(), why));
}

void Lane::run(const std::vector<ScheduledCase>& cases, const Next& next, const Record& record) {
  stopped_ = false;
  identity();
  worker_.revive();
  alone_.clear();
  undecided_.clear();
  std::deque<Batch> flight;
  bool more = true;
  auto lastAnswer = Clock::now();
  while (!over()) {
    while ((more || !alone_.empty()) && undecided_.empty() && hasRoom(flight)) {
      Batch batch = assemble(cases, next, record);
      if (batch.empty()) {
        more = !alone_.empty();
        break;
      }
      exchange_.send(batch);
      flight.push_back(std::move(batch));
    }
    if (flight.empty()) {
      if (undecided_.empty() && alone_.empty()) return;
      if (undecided_.empty()) continue;
      confirmUndecided(record);
      requireWorkers("");
      lastAnswer = Clock::now();
      continue;
    }

    BatchOutcome outcome = exchange_.receive(flight.front());
    if (over()) break;
    Batch batch = std::move(flight.front());
    flight.pop_front();
    if (auto* executed = std::get_if<Executed>(&outcome)) {
      const double seconds = std::chrono::duration<double>(Clock::now() - lastAnswer).count();
      lastAnswer = Clock::now();
      judgeBatch(std::move(batch), std::move(*executed), seconds, record);
      continue;
    }
    assignBlame(std::move(batch), std::get<WorkerFailure>(outcome), flight, record);
    if (over()) break;
    for (Batch& waiting : flight) exchange_.send(waiting);
    lastAnswer = Clock::now();
  }
  // Discard answers still in flight.
  if (worker_->usable() && worker_->inFlight() > 0) worker_->kill();
}

// Replaces the worker, and finds out what the batch has to do with its loss.
void Lane::assignBlame(Batch batch, const WorkerFailure& failure, std::deque<Batch>& flight,
                       const Record& record) {
  worker_.replace();
  if (failure.unrelated) {
    flight.push_front(std::move(batch));
  } else {
    blame_.assign(std::move(batch), failure,
                  {.blamed =
                       [&](RunningCase running, Attempt attempt) {
                         recordOutcome({std::move(running), std::move(attempt)}, record);
                       },
                   .answered =
                       [&](RunningCase running, Attempt attempt) {
                         confirm({std::move(running), std::move(attempt)}, 1, record);
                       },
                   .over = [&] { return over(); }});
  }
  if (over()) return;
  requireWorkers(", the last because " + failure.judgement.message);
  if (!blame_.sendsOneByOne()) return;
  for (Batch& waiting : flight) std::ranges::move(waiting, std::back_inserter(alone_));
  flight.clear();
}

void Lane::recordOutcome(CaseOutcome outcome, const Record& record) {
  if (outcome.judgement.verdict == Verdict::Pass) outcome.workerStderr.clear();
  record(outcome);
}

void Lane::confirm(CaseOutcome outcome, size_t together, const Record& record) {
  if (stopped_) return;
  Judgement& judgement = outcome.judgement;
  if (acceptedAboveItsLevel(judgement)) {
    if (!levelGate_.known()) {
      undecided_.emplace_back(std::move(outcome), together);
      return;
    }
    if (*levelGate_.known()) judgement = leaked(std::move(judgement), options_.strictness);
  }
  std::vector<Try>& tries = outcome.tries;
  const auto first = std::ranges::find_if(tries, [](const Try& each) {
    return each.judgement && each.judgement->verdict == Verdict::Fail;
  });
  // With `repeat`, a Fail may mean that runs differ; another run proves nothing new.
  const bool differs = judgement.kinds.contains(std::string(kind::kUnequalRuns));
  if (first == tries.end()) {
    if (judgement.verdict == Verdict::Fail && !differs) {
      tries.push_back({inAMessageOf(together), std::move(judgement), outcome.sent});
      alone_.push_back(std::move(outcome));
      return;
    }
  } else {
    const Try before = *first;
    tries.push_back({"again, alone", judgement, outcome.sent});
    if (judgement.verdict == Verdict::Fail) {
      for (const auto& [which, count] : before.judgement->kinds) {
        uint64_t& most = judgement.kinds[which];
        most = std::max(most, count);
      }
    } else if (!isFailure(judgement.verdict)) {
      judgement = flaky(before.circumstance, *before.judgement);
    }
  }
  recordOutcome(std::move(outcome), record);
}

void Lane::confirmUndecided(const Record& record) {
  levelGate_.ask([&] { return over(); });
  if (over()) return;
  for (auto& [outcome, together] : std::exchange(undecided_, {})) {
    confirm(std::move(outcome), together, record);
  }
}

void Lane::judgeBatch(Batch batch, Executed executed, double seconds, const Record& record) {
  std::string words = worker_->takeStderr();
  const size_t together = batch.size();
  const double each = seconds / static_cast<double>(together);
  if (batch.front().tries.empty() && !exchange_.goesAlone(batch.front().testCase()))
    secondsPerCase_ = 0.7 * secondsPerCase_ + 0.3 * each;
  std::vector<Attempt> attempts = exchange_.judge(batch, std::move(executed));
  for (size_t i = 0; i < together; ++i) {
    Attempt& attempt = attempts[i];
    attempt.seconds = each;
    // The stderr text may be about any case of the batch; the first non-passing case gets it.
    if (attempt.judgement.verdict != Verdict::Pass) attempt.workerStderr = std::exchange(words, {});
    confirm({std::move(batch[i]), std::move(attempt)}, together, record);
    if (worker_->usable()) worker_->progress();
  }
}

std::optional<Judgement> Lane::whyNotSent(const Case& testCase) {
  identity();
  return exchange_.whyNotSent(testCase);
}

CaseOutcome Lane::tryCase(const Case& testCase) {
  stopped_ = false;
  identity();
  const auto failed = [&](const char* why) {
    return CaseOutcome{RunningCase(testCase), {{Verdict::InternalError, why, {}}}};
  };
  if (over()) return failed("the harness was told to stop");
  if (auto judgement = exchange_.whyNotSent(testCase)) {
    return {RunningCase(testCase), {*std::move(judgement)}};
  }
  worker_.revive();
  Batch batch{RunningCase(testCase)};
  try {
    exchange_.prepareCase(batch.front());
  } catch (const std::exception& error) {
    return failed(error.what());
  }
  worker_.forgiveLosses();
  BatchOutcome outcome = exchange_.runOnce(batch);
  Attempt attempt;
  if (auto* failure = std::get_if<WorkerFailure>(&outcome)) {
    attempt.judgement = std::move(failure->judgement);
    attempt.workerStderr = std::move(failure->workerStderr);
  } else {
    attempt = std::move(exchange_.judge(batch, std::get<Executed>(std::move(outcome))).front());
    if (acceptedAboveItsLevel(attempt.judgement) && levelGate_.ask([&] { return over(); })) {
      attempt.judgement = leaked(std::move(attempt.judgement), options_.strictness);
    }
    if (attempt.judgement.verdict != Verdict::Pass) attempt.workerStderr = worker_->takeStderr();
  }
  worker_.forgiveLosses();
  return {std::move(batch.front()), std::move(attempt)};
}

std::optional<Lane::Lost> Lane::sendBefore(std::span<const Case* const> cases) {
  identity();
  worker_.revive();
  worker_.forgiveLosses();
  std::deque<Batch> flight;
  size_t sent = 0, answered = 0;
  const auto hasRoom = [&] {
    if (sent == cases.size() || flight.size() == kBeforeInFlight) return false;
    return flight.empty() ||
           !(exchange_.goesAlone(*cases[sent]) || exchange_.goesAlone(*cases[sent - 1]));
  };
  while (answered < cases.size() && !over()) {
    if (hasRoom()) {
      Batch batch{RunningCase(*cases[sent++])};
      exchange_.prepareCase(batch.front());
      exchange_.send(batch);
      flight.push_back(std::move(batch));
      continue;
    }
    BatchOutcome outcome = exchange_.receive(flight.front());
    if (auto* failure = std::get_if<WorkerFailure>(&outcome)) {
      worker_.replace();
      return Lost{answered, std::move(failure->judgement), std::move(failure->workerStderr)};
    }
    flight.pop_front();
    ++answered;
  }
  return std::nullopt;
}

gpu::Outcome<gpu::Answer> Lane::ask(const gpu::Request& request) {
  identity();
  for (int tries = 1;; ++tries) {
    worker_.revive();
    worker_->send({&request, 1});
    auto outcome = worker_->receive(options_.timeout);
    if (auto* answers = std::get_if<gpu::Answers>(&outcome)) {
      return std::move(answers->answers.front());
    }
    const gpu::Failure& failure = std::get<gpu::Failure>(outcome);
    const bool unrelated = std::holds_alternative<gpu::DiedAfterLastAnswer>(failure);
    if (!unrelated || tries == kMostAsked) return failure;
  }
}

double Lane::bareSeconds(const std::vector<ScheduledCase>& cases) {
  worker_.revive();
  std::vector<gpu::Request> requests;
  for (const ScheduledCase& each : cases) {
    if (exchange_.whyNotSent(each.testCase)) continue;
    PreparedCase prepared = prepare(each.testCase, requests.size() + 1, 1, 0, options_.mode);
    requests.push_back(std::move(prepared.requests.front()));
  }
  if (requests.empty()) return 0;
  const auto outcome = worker_->bare(requests, options_.startTimeout);
  const auto* bare = std::get_if<gpu::BareSeconds>(&outcome);
  return bare ? bare->seconds : 0;
}

Lanes::Lanes(uint32_t jobs, const LaneOptions& options, Lane& first) : all_{&first} {
  for (uint32_t i = 1; i < jobs; ++i) all_.push_back(&others_.emplace_back(options));
  for (size_t i = 1; i < all_.size(); ++i) {
    if (const auto difference = differenceOf(all_[i]->identity(), first.identity())) {
      throw AnotherTarget(
          fmt::format("worker {} hosts something else than worker 1: the {}", i + 1, *difference));
    }
  }
}

void Lanes::run(const std::function<void(size_t number)>& work,
                const std::function<void()>& stop) const {
  sideBySide(size(), size(), [&](uint64_t number) {
    try {
      work(number);
    } catch (...) {
      stop();
      throw;
    }
  });
}

void Lanes::finishOthers() {
  for (Lane& lane : others_) lane.finish();
}

}  // namespace dmlcts

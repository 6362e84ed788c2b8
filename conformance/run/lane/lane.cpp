#include "conformance/run/lane/lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

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
      blame_(options_, worker_, exchange_),
      levelGate_(options_, worker_, exchange_) {}

Batch Lane::assemble(const std::vector<ScheduledCase>& cases, const Next& next, const Sink& sink) {
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
    Item item;
    item.place = index;
    const Case& testCase = cases[*index].testCase;
    item.prepared.testCase = &testCase;
    std::optional<Judgement> judgement = exchange_.whyNotSent(testCase);
    if (!judgement) {
      try {
        exchange_.prepareItem(item, testCase);
      } catch (const std::exception& error) {
        judgement = Judgement{Verdict::InternalError, error.what(), {}};
      }
    }
    if (judgement) {
      deliver(item, {*judgement, {}, {}, 0}, sink);
      continue;
    }
    if (exchange_.goesAlone(testCase)) {
      alone_.push_back(std::move(item));
      break;
    }
    bytes += item.prepared.bytes;
    batch.push_back(std::move(item));
    worker_->progress();
  }
  return batch;
}

bool Lane::hasRoom(const std::deque<Batch>& flight) const {
  if (flight.empty()) return true;
  const bool alone = exchange_.goesAlone(caseOf(flight.front().front())) ||
                     (!alone_.empty() && exchange_.goesAlone(caseOf(alone_.front())));
  return !alone && flight.size() < kBatchesInFlight;
}

void Lane::requireWorkers(const std::string& why) const {
  if (!worker_.tooManyLost()) return;
  throw WorkersLost(
      fmt::format("workers lost in a row or between cases: {}{}", worker_.lost(), why));
}

void Lane::run(const std::vector<ScheduledCase>& cases, const Next& next, const Sink& sink) {
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
      Batch batch = assemble(cases, next, sink);
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
      settleUndecided(sink);
      requireWorkers("");
      lastAnswer = Clock::now();
      continue;
    }

    std::vector<gpu::Answer> answers;
    const auto failure = exchange_.receive(flight.front(), answers);
    if (over()) break;
    Batch batch = std::move(flight.front());
    flight.pop_front();
    if (!failure) {
      const double seconds = std::chrono::duration<double>(Clock::now() - lastAnswer).count();
      lastAnswer = Clock::now();
      settleAll(batch, answers, seconds, sink);
      continue;
    }
    investigate(std::move(batch), *failure, flight, sink);
    if (over()) break;
    for (Batch& waiting : flight) exchange_.send(waiting);
    lastAnswer = Clock::now();
  }
  // Discard answers still in flight.
  if (worker_->usable() && worker_->inFlight() > 0) worker_->kill();
}

// Replaces the worker, and finds out what the batch has to do with its loss.
void Lane::investigate(Batch batch, const WorkerFailure& failure, std::deque<Batch>& flight,
                       const Sink& sink) {
  worker_.replace();
  if (failure.unrelated) {
    flight.push_front(std::move(batch));
  } else {
    blame_.investigate(
        std::move(batch), failure,
        {.blamed = [&](Item& item, Settled settled) { deliver(item, std::move(settled), sink); },
         .answered = [&](Item& item,
                         Settled settled) { settle(item, std::move(settled), 1, sink); },
         .over = [&] { return over(); }});
  }
  if (over()) return;
  requireWorkers(", the last because " + failure.judgement.message);
  if (!blame_.sendsOneByOne()) return;
  for (Batch& waiting : flight) std::ranges::move(waiting, std::back_inserter(alone_));
  flight.clear();
}

void Lane::deliver(Item& item, Settled settled, const Sink& sink) const {
  const bool passed = settled.judgement.verdict == Verdict::Pass;
  sink({*item.place, item.prepared, std::move(settled.judgement),
        settled.answer ? &*settled.answer : nullptr, item.attempts,
        passed ? "" : std::move(settled.workerStderr), settled.seconds,
        item.failedAs.value_or(item.sent)});
}

void Lane::settle(Item& item, Settled settled, size_t together, const Sink& sink) {
  if (stopped_) return;
  if (acceptedAboveItsLevel(settled.judgement)) {
    if (!levelGate_.known()) {
      undecided_.push_back({std::move(item), std::move(settled), together});
      return;
    }
    if (*levelGate_.known()) {
      settled.judgement = leaked(std::move(settled.judgement), options_.strictness);
    }
  }
  Judgement& judgement = settled.judgement;
  const std::string circumstance = inAMessageOf(together);
  // With `repeat`, a Fail may mean that runs differ; another run proves nothing new.
  const bool differs = judgement.kinds.contains(std::string(kind::kUnequalRuns));
  if (!item.first && judgement.verdict == Verdict::Fail && !differs) {
    item.attempts.push_back(attemptText(circumstance, judgement));
    item.first = std::move(judgement);
    item.firstTogether = together;
    item.failedAs = item.sent;
    alone_.push_back(std::move(item));
    return;
  }
  if (item.first) {
    item.attempts.push_back(attemptText("again, alone", judgement));
    if (judgement.verdict == Verdict::Fail) {
      for (const auto& [which, count] : item.first->kinds) {
        uint64_t& most = judgement.kinds[which];
        most = std::max(most, count);
      }
    } else if (!isFailure(judgement.verdict)) {
      judgement = flaky(inAMessageOf(item.firstTogether), *item.first);
    }
  }
  deliver(item, std::move(settled), sink);
}

void Lane::settleUndecided(const Sink& sink) {
  levelGate_.ask([&] { return over(); });
  if (over()) return;
  for (Undecided& each : std::exchange(undecided_, {})) {
    settle(each.item, std::move(each.settled), each.together, sink);
  }
}

void Lane::settleAll(Batch& batch, std::vector<gpu::Answer>& answers, double seconds,
                     const Sink& sink) {
  std::string words = worker_->takeStderr();
  const double each = seconds / static_cast<double>(batch.size());
  if (!batch.front().first && !exchange_.goesAlone(caseOf(batch.front())))
    secondsPerCase_ = 0.7 * secondsPerCase_ + 0.3 * each;
  size_t at = 0;
  for (Item& item : batch) {
    if (stopped_) return;
    Settled settled =
        exchange_.settle(item, std::span(answers).subspan(at, item.prepared.requests.size()));
    at += item.prepared.requests.size();
    settled.seconds = each;
    // The stderr text may be about any case of the batch; the first non-passing case gets it.
    if (settled.judgement.verdict != Verdict::Pass) settled.workerStderr = std::exchange(words, {});
    settle(item, std::move(settled), batch.size(), sink);
    if (worker_->usable()) worker_->progress();
  }
}

std::optional<Judgement> Lane::whyNotSent(const Case& testCase) {
  identity();
  return exchange_.whyNotSent(testCase);
}

Lane::Trial Lane::tryCase(const Case& testCase) {
  stopped_ = false;
  identity();
  Trial trial;
  trial.prepared.testCase = &testCase;
  if (over()) {
    trial.judgement = {Verdict::InternalError, "the harness was told to stop", {}};
    return trial;
  }
  if (const auto judgement = exchange_.whyNotSent(testCase)) {
    trial.judgement = *judgement;
    return trial;
  }
  worker_.revive();
  Batch batch(1);
  Item& item = batch.front();
  try {
    exchange_.prepareItem(item, testCase);
  } catch (const std::exception& error) {
    trial.judgement = {Verdict::InternalError, error.what(), {}};
    return trial;
  }
  std::vector<gpu::Answer> answers;
  worker_.forgiveLosses();
  if (auto failure = exchange_.runOnce(batch, answers)) {
    trial.judgement = std::move(failure->judgement);
    trial.workerStderr = std::move(failure->workerStderr);
  } else {
    Settled settled = exchange_.settle(item, answers);
    trial.judgement = std::move(settled.judgement);
    trial.answer = std::move(settled.answer);
    if (acceptedAboveItsLevel(trial.judgement) && levelGate_.ask([&] { return over(); })) {
      trial.judgement = leaked(std::move(trial.judgement), options_.strictness);
    }
    if (trial.judgement.verdict != Verdict::Pass) trial.workerStderr = worker_->takeStderr();
  }
  trial.prepared = std::move(item.prepared);
  worker_.forgiveLosses();
  return trial;
}

std::optional<Lane::Lost> Lane::sendBefore(std::span<const Case* const> cases) {
  identity();
  worker_.revive();
  worker_.forgiveLosses();
  std::deque<Batch> flight;
  std::vector<gpu::Answer> answers;
  size_t sent = 0, answered = 0;
  const auto hasRoom = [&] {
    if (sent == cases.size() || flight.size() == kBeforeInFlight) return false;
    return flight.empty() ||
           !(exchange_.goesAlone(*cases[sent]) || exchange_.goesAlone(*cases[sent - 1]));
  };
  while (answered < cases.size() && !over()) {
    if (hasRoom()) {
      Batch batch(1);
      exchange_.prepareItem(batch.front(), *cases[sent++]);
      exchange_.send(batch);
      flight.push_back(std::move(batch));
      continue;
    }
    if (auto failure = exchange_.receive(flight.front(), answers)) {
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

}  // namespace dmlcts

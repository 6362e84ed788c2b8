#include "conformance/run/lane/lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include "conformance/run/journaling.h"
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
      recordOutcome(item, {*judgement}, record);
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

    std::vector<gpu::Answer> answers;
    const auto failure = exchange_.receive(flight.front(), answers);
    if (over()) break;
    Batch batch = std::move(flight.front());
    flight.pop_front();
    if (!failure) {
      const double seconds = std::chrono::duration<double>(Clock::now() - lastAnswer).count();
      lastAnswer = Clock::now();
      judgeBatch(batch, answers, seconds, record);
      continue;
    }
    investigate(std::move(batch), *failure, flight, record);
    if (over()) break;
    for (Batch& waiting : flight) exchange_.send(waiting);
    lastAnswer = Clock::now();
  }
  // Discard answers still in flight.
  if (worker_->usable() && worker_->inFlight() > 0) worker_->kill();
}

// Replaces the worker, and finds out what the batch has to do with its loss.
void Lane::investigate(Batch batch, const WorkerFailure& failure, std::deque<Batch>& flight,
                       const Record& record) {
  worker_.replace();
  if (failure.unrelated) {
    flight.push_front(std::move(batch));
  } else {
    blame_.investigate(
        std::move(batch), failure,
        {.blamed = [&](Item& item,
                       Attempt attempt) { recordOutcome(item, std::move(attempt), record); },
         .answered = [&](Item& item,
                         Attempt attempt) { confirm(item, std::move(attempt), 1, record); },
         .over = [&] { return over(); }});
  }
  if (over()) return;
  requireWorkers(", the last because " + failure.judgement.message);
  if (!blame_.sendsOneByOne()) return;
  for (Batch& waiting : flight) std::ranges::move(waiting, std::back_inserter(alone_));
  flight.clear();
}

void Lane::recordOutcome(Item& item, Attempt attempt, const Record& record) {
  if (attempt.judgement.verdict == Verdict::Pass) attempt.workerStderr.clear();
  record({std::move(attempt), *item.place, item.prepared, item.attempts,
          item.failedAs.value_or(item.sent)});
}

void Lane::confirm(Item& item, Attempt attempt, size_t together, const Record& record) {
  if (stopped_) return;
  if (acceptedAboveItsLevel(attempt.judgement)) {
    if (!levelGate_.known()) {
      undecided_.push_back({std::move(item), std::move(attempt), together});
      return;
    }
    if (*levelGate_.known()) {
      attempt.judgement = leaked(std::move(attempt.judgement), options_.strictness);
    }
  }
  Judgement& judgement = attempt.judgement;
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
  recordOutcome(item, std::move(attempt), record);
}

void Lane::confirmUndecided(const Record& record) {
  levelGate_.ask([&] { return over(); });
  if (over()) return;
  for (Undecided& each : std::exchange(undecided_, {})) {
    confirm(each.item, std::move(each.attempt), each.together, record);
  }
}

void Lane::judgeBatch(Batch& batch, std::vector<gpu::Answer>& answers, double seconds,
                      const Record& record) {
  std::string words = worker_->takeStderr();
  const double each = seconds / static_cast<double>(batch.size());
  if (!batch.front().first && !exchange_.goesAlone(caseOf(batch.front())))
    secondsPerCase_ = 0.7 * secondsPerCase_ + 0.3 * each;
  size_t at = 0;
  for (Item& item : batch) {
    if (stopped_) return;
    Attempt attempt =
        exchange_.judge(item, std::span(answers).subspan(at, item.prepared.requests.size()));
    at += item.prepared.requests.size();
    attempt.seconds = each;
    // The stderr text may be about any case of the batch; the first non-passing case gets it.
    if (attempt.judgement.verdict != Verdict::Pass) attempt.workerStderr = std::exchange(words, {});
    confirm(item, std::move(attempt), batch.size(), record);
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
    static_cast<Attempt&>(trial) = exchange_.judge(item, answers);
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

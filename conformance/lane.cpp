#include "conformance/lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dmlcts {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kBatchesInFlight = 2;
constexpr size_t kMostCases = 64;          // in a batch
constexpr uint64_t kMostBytes = 8u << 20;  // of a batch's images, unless one case has more
constexpr double kBatchSeconds = 0.25;     // what a batch should take
constexpr int kMostStarts = 3;             // until a worker says hello
constexpr int kMostUnrelatedDeaths = 3;    // in a row, until the case at hand is to blame

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Judgement judgementOf(const gpu::Failure& failure) {
  const std::string text = gpu::describe(failure);
  if (std::holds_alternative<gpu::TimedOut>(failure)) return {Verdict::Timeout, text, {}};
  if (std::holds_alternative<gpu::Crashed>(failure) ||
      std::holds_alternative<gpu::DiedAfterLastAnswer>(failure)) {
    return {Verdict::Crash, text, {}};
  }
  return {Verdict::InternalError, text, {}};
}

std::string attemptText(std::string_view circumstance, const Judgement& judgement) {
  return fmt::format("{}: {}{}{}", circumstance, name(judgement.verdict),
                     judgement.message.empty() ? "" : ", ", judgement.message);
}

}  // namespace

Lane::Lane(LaneOptions options) : options_(std::move(options)) {
  worker_.emplace(options_.command);
}

const gpu::Identity& Lane::identity() {
  if (identity_) return *identity_;
  auto outcome = worker_->hello(options_.startTimeout);
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
    std::string text = gpu::describe(*failure);
    const std::string words = worker_->takeStderr();
    if (!words.empty()) text += "\n" + words;
    throw WorkerStartError("the worker did not start: " + text);
  }
  identity_ = std::get<gpu::Hello>(outcome).identity;
  return *identity_;
}

void Lane::restart() {
  const std::string adapter = identity_->adapter;
  for (int start = 1;; ++start) {
    worker_.reset();
    worker_.emplace(options_.command);
    identity_.reset();
    try {
      if (identity().adapter == adapter) return;
    } catch (const WorkerStartError&) {
      if (start == kMostStarts) throw;
      continue;
    }
    throw WorkerStartError("the new worker has another adapter: " + identity_->adapter +
                           " instead of " + adapter);
  }
}

Lane::Batch Lane::assemble(const std::vector<PlannedCase>& cases, const Next& next,
                           const Sink& sink) {
  const auto size = static_cast<size_t>(
      std::clamp(kBatchSeconds / std::max(secondsPerCase_, 1e-6), 1.0, double{kMostCases}));
  Batch batch;
  uint64_t bytes = 0;
  while (batch.size() < size && bytes < kMostBytes) {
    const auto index = next();
    if (!index) break;
    Item item{*index, {}};
    try {
      item.prepared = prepare(cases[*index].testCase, nextId_, options_.repeat);
    } catch (const std::exception& error) {
      item.prepared.testCase = &cases[*index].testCase;
      sink({*index, item.prepared, {Verdict::InternalError, error.what(), {}}, nullptr, {}, {}, 0});
      continue;
    }
    nextId_ += options_.repeat;
    bytes += item.prepared.bytes;
    batch.push_back(std::move(item));
    worker_->progress();
  }
  return batch;
}

void Lane::send(Batch& batch) {
  std::vector<gpu::Request> requests;
  for (Item& item : batch) std::ranges::move(item.prepared.requests, std::back_inserter(requests));
  worker_->send(requests);
  size_t at = 0;
  for (Item& item : batch) {
    for (gpu::Request& request : item.prepared.requests) request = std::move(requests[at++]);
  }
}

// The answers, or what kept them from coming.
std::optional<Lane::Mishap> Lane::receive(std::vector<gpu::Answer>& answers) {
  auto outcome = worker_->receive(options_.timeout);
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
    const bool unrelated = std::holds_alternative<gpu::DiedAfterLastAnswer>(*failure) &&
                           ++unrelatedDeaths_ <= kMostUnrelatedDeaths;
    return Mishap{judgementOf(*failure), unrelated};
  }
  unrelatedDeaths_ = 0;
  answers = std::move(std::get<gpu::Answers>(outcome).answers);
  const auto removed = std::ranges::find(answers, gpu::Status::DeviceRemoved, &gpu::Answer::status);
  if (removed == answers.end()) return std::nullopt;
  // The device is gone for whatever comes after; a fresh worker gets a fresh one.
  worker_->kill();
  return Mishap{{Verdict::DeviceRemoved, removed->message, {}}, false};
}

void Lane::deliver(const Batch& batch, const std::vector<gpu::Answer>& answers, double seconds,
                   const std::vector<std::string>& attempts, const Sink& sink) {
  const std::string words = worker_->takeStderr();
  const double each = seconds / static_cast<double>(batch.size());
  secondsPerCase_ = 0.7 * secondsPerCase_ + 0.3 * each;
  size_t at = 0;
  for (const Item& item : batch) {
    if (stopped_) return;
    const std::span mine = std::span(answers).subspan(at, item.prepared.requests.size());
    at += mine.size();
    Judgement judgement;
    try {
      judgement = judge(item.prepared, mine, identity_->maxLevel);
    } catch (const std::exception& error) {
      judgement = {Verdict::InternalError, error.what(), {}};
    }
    const bool passed = judgement.verdict == Verdict::Pass;
    sink({item.index, item.prepared, std::move(judgement), &mine.front(), attempts,
          passed ? "" : words, each});
    if (worker_->usable()) worker_->progress();
  }
}

// Runs one case of a batch that went wrong by itself. Returns what went wrong this time, if
// anything did. `sink` is told of the case, unless nothing went wrong and `tell` is false; with
// `together` among its attempts when it went wrong, or when `unexplained`.
std::optional<Lane::Mishap> Lane::runAlone(Item& item, const std::string& together, bool tell,
                                           bool unexplained, const Sink& sink) {
  Batch batch;
  batch.push_back(std::move(item));
  const auto start = Clock::now();
  std::vector<gpu::Answer> answers;
  std::optional<Mishap> mishap;
  do {
    send(batch);
    mishap = receive(answers);
    if (mishap && mishap->unrelated) restart();
  } while (mishap && mishap->unrelated);
  if (mishap) {
    sink({batch.front().index,
          batch.front().prepared,
          mishap->judgement,
          nullptr,
          {together, attemptText("alone", mishap->judgement)},
          worker_->takeStderr(),
          secondsSince(start)});
    if (!stopped_) restart();
  } else if (tell) {
    std::vector<std::string> attempts;
    if (unexplained) attempts = {together, "alone: answered"};
    deliver(batch, answers, secondsSince(start), attempts, sink);
  }
  item = std::move(batch.front());
  return mishap;
}

// Finds out which case of a batch was to blame for what happened to it, by running each alone.
// When none does it again, the first one's record says what happened.
void Lane::investigate(Batch batch, const Mishap& mishap, const Sink& sink) {
  const std::string together =
      attemptText(batch.size() == 1 ? "first" : fmt::format("in a batch of {}", batch.size()),
                  mishap.judgement);
  bool found = runAlone(batch.front(), together, false, false, sink).has_value();
  const bool firstDidIt = found;
  for (size_t i = 1; i < batch.size() && !stopped_; ++i) {
    found = runAlone(batch[i], together, true, false, sink).has_value() || found;
  }
  if (!firstDidIt && !stopped_) runAlone(batch.front(), together, true, !found, sink);
}

void Lane::run(const std::vector<PlannedCase>& cases, const Next& next, const Sink& sink) {
  identity();
  stopped_ = false;
  std::deque<Batch> flight;
  bool more = true;
  auto lastAnswer = Clock::now();
  while (!stopped_) {
    while (more && flight.size() < kBatchesInFlight) {
      Batch batch = assemble(cases, next, sink);
      if (batch.empty()) {
        more = false;
        break;
      }
      send(batch);
      flight.push_back(std::move(batch));
    }
    if (flight.empty()) return;

    std::vector<gpu::Answer> answers;
    const auto mishap = receive(answers);
    Batch batch = std::move(flight.front());
    flight.pop_front();
    if (!mishap) {
      const double seconds = secondsSince(lastAnswer);
      lastAnswer = Clock::now();
      deliver(batch, answers, seconds, {}, sink);
      continue;
    }
    restart();
    if (mishap->unrelated) {
      flight.push_front(std::move(batch));
    } else {
      investigate(std::move(batch), *mishap, sink);
    }
    if (stopped_) return;
    for (Batch& waiting : flight) send(waiting);
    lastAnswer = Clock::now();
  }
}

Lane::Trial Lane::tryCase(const Case& testCase) {
  identity();
  Trial trial;
  const Sink keep = [&](const CaseOutcome& outcome) {
    trial.prepared = outcome.prepared;
    trial.judgement = outcome.judgement;
    if (outcome.answer) trial.answer = *outcome.answer;
  };
  Item item;
  try {
    item.prepared = prepare(testCase, nextId_, options_.repeat);
  } catch (const std::exception& error) {
    trial.prepared.testCase = &testCase;
    trial.judgement = {Verdict::InternalError, error.what(), {}};
    return trial;
  }
  nextId_ += options_.repeat;
  runAlone(item, "first", true, false, keep);
  return trial;
}

double Lane::bareSeconds(const std::vector<const Case*>& cases) {
  std::vector<gpu::Request> requests;
  for (const Case* each : cases) {
    PreparedCase prepared = prepare(*each, nextId_++);
    requests.push_back(std::move(prepared.requests.front()));
  }
  const auto outcome = worker_->bare(requests, options_.startTimeout);
  const auto* bare = std::get_if<gpu::BareSeconds>(&outcome);
  return bare ? bare->seconds : 0;
}

}  // namespace dmlcts

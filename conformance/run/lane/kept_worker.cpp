#include "conformance/run/lane/kept_worker.h"

#include <algorithm>
#include <variant>

namespace dmlcts {
namespace {

constexpr int kMostStarts = 3;                // start attempts before a worker says hello
constexpr uint32_t kMostUnrelatedDeaths = 3;  // in a row, before the current case gets the blame
constexpr uint32_t kMostWithText = 3;         // workers that write text to standard output

}  // namespace

void throwNotStarted(const gpu::Failure& failure, const std::string& words) {
  const auto* gaveUp = std::get_if<gpu::TargetUnavailable>(&failure);
  if (gaveUp && gaveUp->badOptions) throw std::invalid_argument(gaveUp->text);
  throw WorkerStartError(
      "the worker did not start: " + (gaveUp ? gaveUp->text : gpu::describe(failure)) +
      (words.empty() ? "" : "\n" + words));
}

KeptWorker::KeptWorker(const LaneOptions& options) : options_(options) { start(); }

void KeptWorker::start() {
  worker_.emplace(options_.command);
  worker_->cancelWhen(options_.cancel);
  worker_->readTimeFrom(options_.clock);
  history_ = std::make_shared<ProcessHistory>();
  history_->number = ++options_.workers->started;
}

const gpu::Identity& KeptWorker::identity() {
  if (identity_) return *identity_;
  greet();
  options_.required.check(*identity_);
  return *identity_;
}

// Waits for the worker's hello.
void KeptWorker::greet() {
  auto outcome = worker_->hello(options_.startTimeout);
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
    throwNotStarted(*failure, worker_->takeStderr());
  }
  gpu::Hello& hello = std::get<gpu::Hello>(outcome);
  identity_ = std::move(hello.identity);
  capabilities_ = std::move(hello.capabilities).value_or(std::vector<std::string>{});
  const char* const comma = identity_->runtime.empty() ? "" : ", ";
  if (options_.command.onThread)
    identity_->runtime += comma + std::string("in the harness's process");
}

bool KeptWorker::has(std::string_view capability) const {
  return std::ranges::find(capabilities_, capability) != capabilities_.end();
}

void KeptWorker::revive() {
  if (!worker_->usable()) replace();
}

void KeptWorker::replace() {
  if (cancelled()) return;
  const gpu::Identity before = *identity_;
  for (int starts = 1;; ++starts) {
    worker_.reset();
    start();
    identity_.reset();
    try {
      greet();
    } catch (const WorkerStartError&) {
      identity_ = before;
      if (cancelled()) return;
      if (starts == kMostStarts) throw;
      continue;
    }
    if (const auto difference = differenceOf(*identity_, before)) {
      throw AnotherTarget("the new worker hosts something else: the " + *difference);
    }
    return;
  }
}

Sent KeptWorker::count(uint64_t requests, std::optional<size_t> place) {
  Sent sent{history_, history_->requests + 1, history_->cases.size()};
  history_->requests += requests;
  if (place) history_->cases.push_back(*place);
  return sent;
}

WorkerFailure KeptWorker::lose(const gpu::Failure& failure) {
  WorkerFailure lost{judgementOf(failure), worker_->takeStderr(), false};
  const auto* violation = std::get_if<gpu::ProtocolViolation>(&failure);
  if (violation && violation->isText) {
    // No case is blamed: a library printed it.
    lost.unrelated = true;
    lost.judgement.verdict = Verdict::InternalError;
    const uint32_t withText = ++options_.workers->withText;
    if (withText == 1) report("on standard output", lost);
    if (withText >= kMostWithText) throw WorkersWriteText(lost.judgement.message);
    return lost;
  }
  ++inARow_;
  if (std::holds_alternative<gpu::DiedAfterLastAnswer>(failure)) {
    report("between cases", lost);
    lost.unrelated = ++unrelatedDeaths_ <= kMostUnrelatedDeaths;
    ++betweenCases_;
  }
  return lost;
}

WorkerFailure KeptWorker::loseDevice(const Judgement& removed) {
  ++inARow_;
  unrelatedDeaths_ = 0;
  worker_->kill();
  return {removed, worker_->takeStderr(), false};
}

// Checks both, because a worker that dies after each answer is never lost twice in a row.
bool KeptWorker::tooManyLost() const { return lost() >= options_.mostLost; }

uint32_t KeptWorker::lost() const { return std::max(inARow_, betweenCases_); }

void KeptWorker::report(const char* when, const WorkerFailure& failure) const {
  if (!options_.onWorkerFailure) return;
  options_.onWorkerFailure(
      {when, failure.judgement.verdict, failure.judgement.message, failure.workerStderr});
}

void KeptWorker::finish() {
  if (!worker_->usable() || !identity_ || worker_->inFlight() > 0) {
    worker_->kill();
    return;
  }
  const auto outcome = worker_->finish(options_.leaveTimeout);
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
    report("at exit", {judgementOf(*failure), worker_->takeStderr(), false});
  }
}

Judgement judgementOf(const gpu::Failure& failure) {
  const auto judgement = [&](Verdict verdict, std::string_view kind) {
    return Judgement{verdict, gpu::describe(failure), {}, {{std::string(kind), 1}}};
  };
  if (std::holds_alternative<gpu::TimedOut>(failure)) {
    return judgement(Verdict::Timeout, kind::kTimeout);
  }
  if (std::holds_alternative<gpu::ProtocolViolation>(failure)) {
    return judgement(Verdict::Fail, kind::kMalformedAnswer);
  }
  Judgement crash = judgement(Verdict::Crash, kind::kCrash);
  if (crash.message.find("SIGKILL") != crash.message.npos) {
    crash.message += ": the system may be short of memory";
  }
  return crash;
}

}  // namespace dmlcts

#include "conformance/run/lane/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "conformance/inputs/streamed_inputs.h"
#include "conformance/run/judging/in_pieces.h"

namespace dmlcts {
namespace {

constexpr uint32_t kOftenMessages = 700;  // of a case in mode endurance
constexpr uint32_t kOftenInAMessage = 100;

Judgement lacks(std::string_view capability, Verdict verdict) {
  return {verdict,
          fmt::format("the worker's hello does not name the capability \"{}\"", capability),
          {}};
}

// Adds the time of a scope to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { sum_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double& sum_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

std::vector<std::string> textsOf(std::span<const Try> tries) {
  std::vector<std::string> texts;
  for (const auto& [circumstance, judgement, sent] : tries) {
    texts.push_back(circumstance + ": ");
    if (!judgement) {
      texts.back() += "answered";
    } else {
      const char* comma = judgement->message.empty() ? "" : ", ";
      texts.back() += fmt::format("{}{}{}", name(judgement->verdict), comma, judgement->message);
    }
  }
  return texts;
}

TimeSpent& TimeSpent::operator+=(const TimeSpent& other) {
  preparing += other.preparing;
  waiting += other.waiting;
  judging += other.judging;
  return *this;
}

std::string Exchange::unknown(const Case& testCase) const {
  std::vector<std::string> needed;
  const bool fields = std::ranges::any_of(tensors(testCase.descriptor), [](const TensorSlot& slot) {
    return slot.desc->baseOffsetAlignment != 0 || slot.desc->flags != 0;
  });
  if (fields) needed.emplace_back(gpu::kTensorFields);
  const gpu::Modes modes = options_.mode.executionsOf(testCase).ofTargets();
  for (size_t i = 0; i < gpu::kModes.size(); ++i) {
    const auto mode = static_cast<gpu::Mode>(i);
    if (modes.has(mode)) needed.push_back(gpu::capabilityOf(mode));
  }
  if (goesInPieces(testCase)) needed.emplace_back(gpu::kPrograms);
  const auto missing = std::ranges::find_if_not(
      needed, [&](const std::string& capability) { return worker_.has(capability); });
  return missing == needed.end() ? "" : *missing;
}

std::optional<Judgement> Exchange::whyNotSent(const Case& testCase) const {
  if (options_.whySkipped) {
    if (auto why = options_.whySkipped(testCase)) return Judgement{Verdict::Skipped, *why, {}};
  }
  if (const std::string capability = unknown(testCase); !capability.empty()) {
    return lacks(capability, testCase.modes.empty() ? Verdict::NotSupported : Verdict::NotAsked);
  }
  const Level highest = worker_.identity().maxLevel;
  if (testCase.level > highest) {
    return Judgement{
        Verdict::NotAsked, fmt::format("above the target's highest level, {}", name(highest)), {}};
  }
  if (testCase.expect != Expect::Execute) return std::nullopt;
  const auto notSupported = [](std::string why) {
    return Judgement{Verdict::NotSupported, std::move(why), {}};
  };
  if (const uint64_t bytes = bufferBytes(testCase); bytes > options_.memory) {
    return notSupported(fmt::format("its buffers take {} bytes, and --memory says {} at most",
                                    bytes, options_.memory));
  }
  if (!goesInPieces(testCase)) return std::nullopt;
  if (!options_.mode.executionsOf(testCase).empty() || options_.repeat > 1) {
    return notSupported("its buffers cross in pieces, which is done once and in the ordinary mode");
  }
  if (const auto problem = streamProblem(testCase)) return notSupported(*problem);
  return std::nullopt;
}

bool Exchange::goesInPieces(const Case& testCase) const {
  const bool asked = options_.piece && testCase.modes.empty();
  return testCase.expect == Expect::Execute && (asked || isTooLargeForMessages(testCase));
}

bool Exchange::isOften(const Case& testCase) const {
  return testCase.expect == Expect::Execute &&
         options_.mode.executionsOf(testCase).has(gpu::Mode::Endurance);
}

bool Exchange::goesAlone(const Case& testCase) const {
  return goesInPieces(testCase) || isOften(testCase);
}

void Exchange::prepareCase(RunningCase& running) {
  const Case& testCase = running.testCase();
  if (goesInPieces(testCase)) return;
  const Stopwatch stopwatch(spent_.preparing);
  const uint32_t repeat = isOften(testCase) ? kOftenInAMessage : options_.repeat;
  running.prepared = prepare(testCase, nextId_, repeat, options_.poison, options_.mode);
  nextId_ += repeat;
}

void Exchange::prepareAgain(RunningCase& running) {
  if (!running.sent.process) return;
  poisonAgain(running.prepared, nextId_, options_.poison);
  nextId_ += running.prepared.requests.size();
}

void Exchange::send(Batch& batch) {
  for (RunningCase& each : batch) {
    const size_t requests = std::max<size_t>(1, each.prepared.requests.size());
    each.sent = worker_.count(requests, each.place);
  }
  if (batch.front().inPieces()) return;  // receive() sends them
  std::vector<gpu::Request> requests;
  for (RunningCase& each : batch) {
    std::ranges::move(each.prepared.requests, std::back_inserter(requests));
  }
  worker_->send(requests);
  size_t at = 0;
  for (RunningCase& each : batch) {
    for (gpu::Request& request : each.prepared.requests) request = std::move(requests[at++]);
  }
}

BatchOutcome Exchange::receive(Batch& batch) {
  const Stopwatch stopwatch(spent_.waiting);
  Executed executed;
  std::optional<Judgement> removed;
  RunningCase& first = batch.front();
  if (first.inPieces()) {
    auto outcome = runInPieces(first.testCase());
    if (auto* failure = std::get_if<WorkerFailure>(&outcome)) return std::move(*failure);
    executed.inPieces = std::get<Judgement>(std::move(outcome));
    if (executed.inPieces->verdict == Verdict::DeviceRemoved) removed = executed.inPieces;
  } else {
    std::vector<gpu::Answer>& answers = executed.answers;
    for (uint32_t messages = 1;; ++messages) {
      auto outcome = worker_->receive(options_.timeout);
      if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) return worker_.lose(*failure);
      answers = std::move(std::get<gpu::Answers>(outcome).answers);
      const bool again =
          isOften(first.testCase()) && messages < kOftenMessages && !worker_.cancelled();
      if (!again || judgeCase(first, answers).verdict != Verdict::Pass) break;
      prepareAgain(first);
      worker_.count(first.prepared.requests.size(), std::nullopt);
      worker_->send(first.prepared.requests);
    }
    const auto found = std::ranges::find(answers, gpu::Status::DeviceRemoved, &gpu::Answer::status);
    if (found != answers.end()) removed = deviceRemoved(found->message);
  }
  if (removed) return worker_.loseDevice(*removed);
  worker_.answered();
  return executed;
}

// Executes one case in pieces, with nothing else in flight.
std::variant<Judgement, WorkerFailure> Exchange::runInPieces(const Case& testCase) {
  PiecesOptions options;
  options.piece = options_.piece.value_or(kPieceBytes);
  options.timeout = options_.timeout;
  options.judging = judging();
  options.id = nextId_++;
  options.poison = options_.poison;
  try {
    auto outcome =
        dmlcts::runInPieces(*worker_, testCase, *options_.mode.descriptor(testCase), options);
    if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) return worker_.lose(*failure);
    return std::get<Judgement>(std::move(outcome));
  } catch (const WorkersWriteText&) {
    throw;
  } catch (const std::exception& error) {
    worker_->kill();  // it may be owed answers
    worker_.replace();
    return Judgement{Verdict::InternalError, error.what(), {}};
  }
}

BatchOutcome Exchange::runOnce(Batch& batch) {
  for (;;) {
    for (RunningCase& each : batch) prepareAgain(each);
    send(batch);
    BatchOutcome outcome = receive(batch);
    const auto* failure = std::get_if<WorkerFailure>(&outcome);
    if (!failure || worker_.tooManyLost()) return outcome;  // another worker would not help
    const bool again = failure->unrelated && !worker_.cancelled();
    worker_.replace();
    if (!again) return outcome;
  }
}

Judgement Exchange::judgeCase(const RunningCase& running,
                              std::span<const gpu::Answer> answers) const {
  try {
    return dmlcts::judge(running.prepared, answers, judging());
  } catch (const std::exception& error) {
    return {Verdict::InternalError, error.what(), {}};
  }
}

std::vector<Attempt> Exchange::judge(const Batch& batch, Executed executed) {
  const Stopwatch stopwatch(spent_.judging);
  std::vector<Attempt> attempts;
  if (executed.inPieces) {
    attempts.push_back({*std::move(executed.inPieces)});
    return attempts;
  }
  std::span<gpu::Answer> left = executed.answers;
  for (const RunningCase& each : batch) {
    const auto own = left.first(each.prepared.requests.size());
    left = left.subspan(own.size());
    Judgement judgement = judgeCase(each, own);
    attempts.push_back({std::move(judgement), std::move(own.front())});
    if (worker_->usable()) worker_->progress();
  }
  return attempts;
}

}  // namespace dmlcts

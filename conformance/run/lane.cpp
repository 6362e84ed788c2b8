#include "conformance/run/lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include "conformance/cases/inputs/streamed_inputs.h"
#include "conformance/run/journaling.h"
#include "conformance/run/judging/in_pieces.h"

namespace dmlcts {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kBatchesInFlight = 2;
constexpr size_t kMostCases = 64;          // in a batch
constexpr uint64_t kMostBytes = 8u << 20;  // of a batch's images; a single case may have more
constexpr double kBatchSeconds = 0.25;     // intended duration of a batch
constexpr uint32_t kOftenMessages = 700;   // of a case in mode endurance
constexpr uint32_t kOftenInAMessage = 100;
constexpr int kMostStarts = 3;           // start attempts before a worker says hello
constexpr int kMostUnrelatedDeaths = 3;  // in a row, before the current case gets the blame

Judgement lacks(std::string_view capability, Verdict verdict) {
  return {verdict,
          fmt::format("the worker's hello does not name the capability \"{}\"", capability),
          {}};
}

}  // namespace

Lane::Lane(LaneOptions options) : options_(std::move(options)), mostCases_(kMostCases) {
  if (options_.poison == 0) options_.poison = uint64_t{std::random_device()()} << 32 | 1;
  start();
}

void Lane::start() {
  worker_.emplace(options_.command);
  worker_->cancelWhen(options_.cancel);
  worker_->readTimeFrom(options_.clock);
}

void throwNotStarted(const gpu::Failure& failure, const std::string& words) {
  const auto* gaveUp = std::get_if<gpu::TargetUnavailable>(&failure);
  if (gaveUp && gaveUp->badOptions) throw std::invalid_argument(gaveUp->text);
  throw WorkerStartError(
      "the worker did not start: " + (gaveUp ? gaveUp->text : gpu::describe(failure)) +
      (words.empty() ? "" : "\n" + words));
}

const gpu::Identity& Lane::identity() {
  if (identity_) return *identity_;
  greet();
  options_.required.check(*identity_);
  return *identity_;
}

// Waits for the worker's hello.
void Lane::greet() {
  auto outcome = worker_->hello(options_.startTimeout);
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
    throwNotStarted(*failure, worker_->takeStderr());
  }
  gpu::Hello& hello = std::get<gpu::Hello>(outcome);
  identity_ = std::move(hello.identity);
  capabilities_ = std::move(hello.capabilities).value_or(std::vector<std::string>{});
  const char* const comma = identity_->runtime.empty() ? "" : ", ";
  if (options_.command.hosted)
    identity_->runtime += comma + std::string("in the harness's process");
}

void Lane::restart() {
  if (over()) return;
  const gpu::Identity before = *identity_;
  for (int starts = 1;; ++starts) {
    worker_.reset();
    start();
    identity_.reset();
    try {
      greet();
    } catch (const WorkerStartError&) {
      identity_ = before;
      if (over()) return;
      if (starts == kMostStarts) throw;
      continue;
    }
    if (const auto difference = differenceOf(*identity_, before)) {
      throw WorkerStartError("the new worker hosts something else: the " + *difference);
    }
    return;
  }
}

void Lane::report(const char* when, const WorkerFailure& workerFailure) {
  if (!options_.onWorkerFailure) return;
  options_.onWorkerFailure({when, workerFailure.judgement.verdict, workerFailure.judgement.message,
                            workerFailure.workerStderr});
}

std::string Lane::unknown(const Case& testCase) const {
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
  const auto missing = std::ranges::find_if(needed, [&](const std::string& capability) {
    return std::ranges::find(capabilities_, capability) == capabilities_.end();
  });
  return missing == needed.end() ? "" : *missing;
}

std::optional<Judgement> Lane::notAsked(const Case& testCase) const {
  if (options_.whySkipped) {
    if (auto why = options_.whySkipped(testCase)) return Judgement{Verdict::Skipped, *why, {}};
  }
  if (const std::string capability = unknown(testCase); !capability.empty()) {
    return lacks(capability, testCase.modes.empty() ? Verdict::NotSupported : Verdict::NotAsked);
  }
  if (testCase.level > identity_->maxLevel) {
    return Judgement{Verdict::NotAsked,
                     fmt::format("above the target's highest level, {}", name(identity_->maxLevel)),
                     {}};
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

bool Lane::goesInPieces(const Case& testCase) const {
  const bool asked = options_.piece && testCase.modes.empty();
  return testCase.expect == Expect::Execute && (asked || isTooLargeForMessages(testCase));
}

bool Lane::isOften(const Case& testCase) const {
  return testCase.expect == Expect::Execute &&
         options_.mode.executionsOf(testCase).has(gpu::Mode::Endurance);
}

Lane::Batch Lane::assemble(const std::vector<ScheduledCase>& cases, const Next& next,
                           const Sink& sink) {
  Batch batch;
  if (!alone_.empty()) {
    batch.push_back(std::move(alone_.front()));
    alone_.pop_front();
    poisonAgain(batch.front().prepared, nextId_, options_.poison);
    nextId_ += options_.repeat;
    return batch;
  }
  const auto size = std::min(
      mostCases_, static_cast<size_t>(std::clamp(kBatchSeconds / std::max(secondsPerCase_, 1e-6),
                                                 1.0, double{kMostCases})));
  uint64_t bytes = 0;
  while (batch.size() < size && bytes < kMostBytes && !over()) {
    const auto index = next();
    if (!index) break;
    Item item;
    item.index = *index;
    const Case& testCase = cases[*index].testCase;
    item.prepared.testCase = &testCase;
    std::optional<Judgement> judgement = notAsked(testCase);
    if (!judgement) {
      try {
        prepareItem(item, testCase);
      } catch (const std::exception& error) {
        judgement = Judgement{Verdict::InternalError, error.what(), {}};
      }
    }
    if (judgement) {
      sink({*index, item.prepared, *judgement, nullptr, {}, {}, 0});
      continue;
    }
    if (goesAlone(item)) {
      alone_.push_back(std::move(item));
      break;
    }
    bytes += item.prepared.bytes;
    batch.push_back(std::move(item));
    worker_->progress();
  }
  return batch;
}

// Makes what is to be sent, unless the case is sent in pieces.
void Lane::prepareItem(Item& item, const Case& testCase) {
  item.prepared.testCase = &testCase;
  if (goesInPieces(item)) return;
  const uint32_t repeat = isOften(testCase) ? kOftenInAMessage : options_.repeat;
  item.prepared = prepare(testCase, nextId_, repeat, options_.poison, options_.mode);
  nextId_ += repeat;
}

bool Lane::hasRoom(const std::deque<Batch>& flight) const {
  if (flight.empty()) return true;
  const bool alone =
      goesAlone(flight.front().front()) || (!alone_.empty() && goesAlone(alone_.front()));
  return !alone && flight.size() < kBatchesInFlight;
}

void Lane::send(Batch& batch) {
  if (goesInPieces(batch.front())) return;  // receive() sends them
  std::vector<gpu::Request> requests;
  for (Item& item : batch) std::ranges::move(item.prepared.requests, std::back_inserter(requests));
  worker_->send(requests);
  size_t at = 0;
  for (Item& item : batch) {
    for (gpu::Request& request : item.prepared.requests) request = std::move(requests[at++]);
  }
}

// Counts a lost worker, and says what a verdict would.
Lane::WorkerFailure Lane::lostBy(const gpu::Failure& failure) {
  ++lost_;
  WorkerFailure workerFailure{judgementOf(failure), worker_->takeStderr(), false};
  if (std::holds_alternative<gpu::DiedAfterLastAnswer>(failure)) {
    report("between cases", workerFailure);
    workerFailure.unrelated = ++unrelatedDeaths_ <= kMostUnrelatedDeaths;
    ++deathsBetweenCases_;
  }
  return workerFailure;
}

// Receives the answers, or returns the failure that prevented them.
std::optional<Lane::WorkerFailure> Lane::receive(Batch& batch, std::vector<gpu::Answer>& answers) {
  std::optional<Judgement> removed;
  if (goesInPieces(batch.front())) {
    if (auto workerFailure = runInPieces(batch.front())) return workerFailure;
    const auto& judgement = batch.front().inPieces;
    if (judgement->verdict == Verdict::DeviceRemoved) removed = judgement;
  } else {
    for (uint32_t messages = 1;; ++messages) {
      auto outcome = worker_->receive(options_.timeout);
      if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) return lostBy(*failure);
      answers = std::move(std::get<gpu::Answers>(outcome).answers);
      PreparedCase& prepared = batch.front().prepared;
      const bool again = isOften(*prepared.testCase) && messages < kOftenMessages && !over();
      if (!again || !passes(batch.front(), answers)) break;
      poisonAgain(prepared, nextId_, options_.poison);
      nextId_ += prepared.requests.size();
      worker_->send(prepared.requests);
    }
    const auto found = std::ranges::find(answers, gpu::Status::DeviceRemoved, &gpu::Answer::status);
    if (found != answers.end()) removed = deviceRemoved(found->message);
  }
  unrelatedDeaths_ = 0;
  if (removed) {
    ++lost_;
    // The device stays removed for this worker; a new worker gets a new device.
    worker_->kill();
    return WorkerFailure{*removed, worker_->takeStderr(), false};
  }
  lost_ = 0;
  return std::nullopt;
}

bool Lane::passes(const Item& item, std::span<const gpu::Answer> answers) const {
  try {
    return judge(item.prepared, answers, identity_->maxLevel, options_.strictness).verdict ==
           Verdict::Pass;
  } catch (const std::exception&) {
    return false;  // settle() says what is wrong
  }
}

// Executes one case in pieces, with nothing else in flight.
std::optional<Lane::WorkerFailure> Lane::runInPieces(Item& item) {
  PiecesOptions options;
  options.piece = options_.piece.value_or(kPieceBytes);
  options.timeout = options_.timeout;
  options.highest = identity_->maxLevel;
  options.strictness = options_.strictness;
  options.id = nextId_++;
  options.poison = options_.poison;
  const Case& testCase = *item.prepared.testCase;
  try {
    auto outcome =
        dmlcts::runInPieces(*worker_, testCase, *options_.mode.descriptor(testCase), options);
    if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) return lostBy(*failure);
    item.inPieces = std::get<Judgement>(std::move(outcome));
  } catch (const std::exception& error) {
    item.inPieces = {Verdict::InternalError, error.what(), {}};
    worker_->kill();  // it may be owed answers
    restart();
  }
  return std::nullopt;
}

void Lane::run(const std::vector<ScheduledCase>& cases, const Next& next, const Sink& sink) {
  stopped_ = false;
  identity();
  if (!worker_->usable()) restart();
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
      send(batch);
      flight.push_back(std::move(batch));
    }
    if (flight.empty()) {
      if (undecided_.empty() && alone_.empty()) return;
      if (undecided_.empty()) continue;
      deliverUndecided(sink);
      if (tooManyLost()) {
        throw WorkersLost(fmt::format("workers lost in a row or between cases: {}",
                                      std::max(lost_, deathsBetweenCases_)));
      }
      lastAnswer = Clock::now();
      continue;
    }

    std::vector<gpu::Answer> answers;
    const auto workerFailure = receive(flight.front(), answers);
    if (over()) break;
    Batch batch = std::move(flight.front());
    flight.pop_front();
    if (!workerFailure) {
      const double seconds = std::chrono::duration<double>(Clock::now() - lastAnswer).count();
      lastAnswer = Clock::now();
      deliver(batch, answers, seconds, sink);
      continue;
    }
    restart();
    if (workerFailure->unrelated) {
      flight.push_front(std::move(batch));
    } else {
      investigate(std::move(batch), *workerFailure, sink);
    }
    if (over()) break;
    if (tooManyLost()) {
      throw WorkersLost(
          fmt::format("workers lost in a row or between cases: {}, the last because {}",
                      std::max(lost_, deathsBetweenCases_), workerFailure->judgement.message));
    }
    if (mostCases_ == 1) {
      for (Batch& waiting : flight) std::ranges::move(waiting, std::back_inserter(alone_));
      flight.clear();
    }
    for (Batch& waiting : flight) send(waiting);
    lastAnswer = Clock::now();
  }
  // Discard answers still in flight.
  if (worker_->usable() && worker_->inFlight() > 0) worker_->kill();
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
  if (const auto judgement = notAsked(testCase)) {
    trial.judgement = *judgement;
    return trial;
  }
  if (!worker_->usable()) restart();
  Batch batch(1);
  try {
    prepareItem(batch.front(), testCase);
  } catch (const std::exception& error) {
    trial.judgement = {Verdict::InternalError, error.what(), {}};
    return trial;
  }
  std::vector<gpu::Answer> answers;
  lost_ = 0;
  if (const auto workerFailure = runOnce(batch, answers)) {
    trial.judgement = workerFailure->judgement;
  } else {
    Settled settled = settle(batch.front(), answers);
    trial.judgement = std::move(settled.judgement);
    trial.answer = std::move(settled.answer);
    if (acceptedAboveItsLevel(trial.judgement) && gatesLevels()) {
      trial.judgement = leaked(std::move(trial.judgement), options_.strictness);
    }
  }
  trial.prepared = std::move(batch.front().prepared);
  lost_ = 0;
  return trial;
}

gpu::Outcome<gpu::Answer> Lane::ask(const gpu::Request& request) {
  identity();
  for (int tries = 1;; ++tries) {
    if (!worker_->usable()) restart();
    worker_->send({&request, 1});
    auto outcome = worker_->receive(options_.timeout);
    if (auto* answers = std::get_if<gpu::Answers>(&outcome)) {
      return std::move(answers->answers.front());
    }
    const gpu::Failure& failure = std::get<gpu::Failure>(outcome);
    const bool unrelated = std::holds_alternative<gpu::DiedAfterLastAnswer>(failure);
    if (!unrelated || tries == kMostUnrelatedDeaths) return failure;
  }
}

double Lane::bareSeconds(const std::vector<ScheduledCase>& cases) {
  if (!worker_->usable()) restart();
  std::vector<gpu::Request> requests;
  for (const ScheduledCase& each : cases) {
    if (notAsked(each.testCase)) continue;
    PreparedCase prepared = prepare(each.testCase, nextId_++, 1, 0, options_.mode);
    requests.push_back(std::move(prepared.requests.front()));
  }
  if (requests.empty()) return 0;
  const auto outcome = worker_->bare(requests, options_.startTimeout);
  const auto* bare = std::get_if<gpu::BareSeconds>(&outcome);
  return bare ? bare->seconds : 0;
}

void Lane::finish() {
  if (!worker_->usable() || !identity_ || worker_->inFlight() > 0) {
    worker_->kill();
    return;
  }
  const auto outcome = worker_->finish(options_.leaveTimeout);
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
    report("at exit", {judgementOf(*failure), worker_->takeStderr(), false});
  }
}

}  // namespace dmlcts

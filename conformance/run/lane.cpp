#include "conformance/run/lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/cases/streamed_inputs.h"
#include "conformance/cases/tiers.h"
#include "conformance/run/attempts.h"
#include "conformance/run/identity.h"
#include "conformance/run/in_pieces.h"
#include "conformance/run/program_model.h"
#include "conformance/run/smallest_set.h"

namespace dmlcts {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kBatchesInFlight = 2;
constexpr size_t kMostCases = 64;          // in a batch
constexpr uint64_t kMostBytes = 8u << 20;  // of a batch's images; a single case may have more
constexpr double kBatchSeconds = 0.25;     // intended duration of a batch
constexpr int kMostStarts = 3;             // start attempts before a worker says hello
constexpr int kMostUnrelatedDeaths = 3;    // in a row, before the current case gets the blame
// Limits the search for a batch's smallest subset that reproduces a worker failure.
constexpr int kMostSearches = 40;
constexpr int kMostSlowSearches = 4;  // if each costs a deadline
constexpr int kMostSets = 2;          // sets found before cases are sent one by one

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
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
  if (options_.command.hosted) identity_->runtime += ", in the harness's own process";
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
  const gpu::Modes modes = options_.mode.executionsOf(testCase);
  for (size_t i = 0; i < gpu::kModes.size(); ++i) {
    const auto mode = static_cast<gpu::Mode>(i);
    if (modes.has(mode)) needed.push_back(gpu::capabilityOf(mode));
  }
  if (goesInPieces(testCase)) needed.emplace_back(gpu::kPieces);
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
    return Judgement{
        unsupported(testCase),
        fmt::format("the worker's hello does not name the capability \"{}\"", capability),
        {}};
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
  return testCase.expect == Expect::Execute && (options_.piece || isTooLargeForMessages(testCase));
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
    if (goesInPieces(cases[*index].testCase) && !notAsked(cases[*index].testCase)) {
      inPieces_ = index;
      break;
    }
    Item item;
    item.index = *index;
    const Case& testCase = cases[*index].testCase;
    item.prepared.testCase = &testCase;
    std::optional<Judgement> judgement = notAsked(testCase);
    if (!judgement) {
      try {
        item.prepared = prepare(testCase, nextId_, options_.repeat, options_.poison, options_.mode);
      } catch (const std::exception& error) {
        judgement = Judgement{Verdict::InternalError, error.what(), {}};
      }
    }
    if (judgement) {
      sink({*index, item.prepared, *judgement, nullptr, {}, {}, 0});
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

// Receives the answers, or returns the failure that prevented them.
std::optional<Lane::WorkerFailure> Lane::receive(std::vector<gpu::Answer>& answers) {
  auto outcome = worker_->receive(options_.timeout);
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
    ++lost_;
    WorkerFailure workerFailure{judgementOf(*failure), worker_->takeStderr(), false};
    if (std::holds_alternative<gpu::DiedAfterLastAnswer>(*failure)) {
      report("between cases", workerFailure);
      workerFailure.unrelated = ++unrelatedDeaths_ <= kMostUnrelatedDeaths;
      ++deathsBetweenCases_;
    }
    return workerFailure;
  }
  unrelatedDeaths_ = 0;
  answers = std::move(std::get<gpu::Answers>(outcome).answers);
  const auto removed = std::ranges::find(answers, gpu::Status::DeviceRemoved, &gpu::Answer::status);
  if (removed != answers.end()) {
    ++lost_;
    // The device stays removed for this worker; a new worker gets a new device.
    worker_->kill();
    return WorkerFailure{
        {Verdict::DeviceRemoved, removed->message, {}, {{std::string(kind::kDeviceRemoved), 1}}},
        worker_->takeStderr(),
        false};
  }
  lost_ = 0;
  return std::nullopt;
}

// Runs a batch alone, with new poison.
std::optional<Lane::WorkerFailure> Lane::runOnce(Batch& batch, std::vector<gpu::Answer>& answers) {
  std::optional<WorkerFailure> workerFailure;
  do {
    for (Item& item : batch) {
      poisonAgain(item.prepared, nextId_, options_.poison);
      nextId_ += item.prepared.requests.size();
    }
    send(batch);
    workerFailure = receive(answers);
    if (workerFailure && tooManyLost()) return workerFailure;  // another worker would not help
    if (workerFailure) restart();
  } while (workerFailure && workerFailure->unrelated && !over());
  return workerFailure;
}

Lane::Settled Lane::settle(const Item& item, std::span<gpu::Answer> answers) {
  Settled settled;
  try {
    settled.judgement = judge(item.prepared, answers, identity_->maxLevel, options_.strictness);
  } catch (const std::exception& error) {
    settled.judgement = {Verdict::InternalError, error.what(), {}};
  }
  settled.answer = std::move(answers.front());
  return settled;
}

// Delivers a verdict, or first queues a Fail to be repeated alone. `together`: number of cases in
// the answered message.
void Lane::tell(Item& item, Settled settled, size_t together, const Sink& sink) {
  if (stopped_) return;
  if (acceptedAboveItsLevel(settled.judgement)) {
    if (!levelGate_) {
      undecided_.push_back({std::move(item), std::move(settled), together});
      return;
    }
    if (*levelGate_) {
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
  const bool passed = judgement.verdict == Verdict::Pass;
  sink({item.index, item.prepared, std::move(judgement), &settled.answer, item.attempts,
        passed ? "" : settled.workerStderr, settled.seconds});
}

bool Lane::gatesLevels() {
  if (levelGate_) return *levelGate_;
  bool found = false;
  std::set<std::tuple<std::string, Level, std::string_view>> asked;
  for (const Case& probe : cases(Tier::Smoke)) {
    if (over()) return false;
    if (found || tooManyLost()) break;
    if (!rejectedByLevelOnly(probe, identity_->maxLevel) || !options_.mode.descriptor(probe) ||
        notAsked(probe) ||
        !asked.emplace(probe.rejectBy, probe.level, operatorName(probe.descriptor)).second) {
      continue;
    }
    Batch alone(1);
    alone.front().prepared = prepare(probe, nextId_, 1, options_.poison, options_.mode);
    std::vector<gpu::Answer> answers;
    if (const auto workerFailure = runOnce(alone, answers)) {
      report("while its level gate was looked for", *workerFailure);
    } else {
      found = settle(alone.front(), answers).judgement.verdict == Verdict::Pass;
    }
  }
  levelGate_ = found;
  return found;
}

void Lane::deliverUndecided(const Sink& sink) {
  gatesLevels();
  if (over()) return;
  for (Undecided& each : std::exchange(undecided_, {})) {
    tell(each.item, std::move(each.settled), each.together, sink);
  }
}

void Lane::deliver(Batch& batch, std::vector<gpu::Answer>& answers, double seconds,
                   const Sink& sink) {
  std::string words = worker_->takeStderr();
  const double each = seconds / static_cast<double>(batch.size());
  if (!batch.front().first) secondsPerCase_ = 0.7 * secondsPerCase_ + 0.3 * each;
  size_t at = 0;
  for (Item& item : batch) {
    if (stopped_) return;
    Settled settled = settle(item, std::span(answers).subspan(at, item.prepared.requests.size()));
    at += item.prepared.requests.size();
    settled.seconds = each;
    // The stderr text may be about any case of the batch; the first non-passing case gets it.
    if (settled.judgement.verdict != Verdict::Pass) settled.workerStderr = std::exchange(words, {});
    tell(item, std::move(settled), batch.size(), sink);
    if (worker_->usable()) worker_->progress();
  }
}

// Finds a small subset of a batch that reproduces the worker failure in one message, or nothing.
// The cases do not fail alone. `workerFailure` becomes the reproduced one.
std::vector<size_t> Lane::searchSet(Batch& batch, WorkerFailure& workerFailure) {
  const bool slow = workerFailure.judgement.verdict == Verdict::Timeout;
  return smallestSet(batch.size(), slow ? kMostSlowSearches : kMostSearches,
                     [&](const std::vector<size_t>& set) {
                       lost_ = 0;  // deliberately lost workers do not count
                       if (over() || tooManyLost()) return false;
                       Batch part;
                       for (size_t i : set) part.push_back(std::move(batch[i]));
                       std::vector<gpu::Answer> answers;
                       const auto again = runOnce(part, answers);
                       for (size_t i = 0; i < set.size(); ++i) batch[set[i]] = std::move(part[i]);
                       if (again) workerFailure = *again;
                       return again.has_value();
                     });
}

// Finds the cases of a batch that caused its worker failure.
void Lane::investigate(Batch batch, const WorkerFailure& workerFailure, const Sink& sink) {
  const std::string together = attemptText(inAMessageOf(batch.size()), workerFailure.judgement);
  for (Item& item : batch) item.attempts.push_back(together);
  std::vector<std::optional<Settled>> settled(batch.size());
  bool explained = false;
  size_t keeper = 0;  // the case that gets an unexplained failure
  for (size_t i = 0; i < batch.size() && !over(); ++i) {
    Batch alone;
    alone.push_back(std::move(batch[i]));
    const auto start = Clock::now();
    std::vector<gpu::Answer> answers;
    const auto again = runOnce(alone, answers);
    batch[i] = std::move(alone.front());
    if (over()) return;
    if (!again) {
      settled[i] = settle(batch[i], answers);
      settled[i]->seconds = secondsSince(start);
      settled[i]->workerStderr = worker_->takeStderr();
      continue;
    }
    explained = true;
    batch[i].attempts.push_back(attemptText("again, alone", again->judgement));
    sink({batch[i].index, batch[i].prepared, again->judgement, nullptr, batch[i].attempts,
          again->workerStderr, secondsSince(start)});
    if (tooManyLost()) break;
  }
  if (over()) return;

  if (!explained) {
    WorkerFailure shown = workerFailure;
    std::vector<size_t> set;
    if (batch.size() > 1) set = searchSet(batch, shown);
    if (over()) return;
    for (size_t i : set) {
      batch[i].attempts.push_back("alone: answered");
      Judgement judgement = shown.judgement;
      judgement.message +=
          fmt::format(" ({}, none of which does it alone)", inAMessageOf(set.size()));
      sink({batch[i].index, batch[i].prepared, std::move(judgement), nullptr, batch[i].attempts,
            shown.workerStderr, 0});
      settled[i].reset();
    }
    if (!set.empty()) {
      // No single case is at fault, and so no level. While this is in the journal, no level
      // conforms.
      report("in a message of several cases", shown);
      // The failure is recorded. Sending one by one gives the other cases their verdicts.
      setsFound_ += shown.judgement.verdict == Verdict::Timeout ? kMostSets : 1;
      if (setsFound_ >= kMostSets) mostCases_ = 1;
    } else {
      // One case must take the blame, preferably one without a failure of its own.
      const auto spotless = std::ranges::find_if(
          settled, [](const auto& each) { return each && !isFailure(each->judgement.verdict); });
      if (spotless != settled.end()) {
        keeper = static_cast<size_t>(spotless - settled.begin());
        batch[keeper].attempts.push_back("again, alone: answered");
        (*spotless)->judgement = flaky(inAMessageOf(batch.size()), workerFailure.judgement);
        (*spotless)->workerStderr = workerFailure.workerStderr;
      }
    }
  }
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!settled[i]) continue;
    if (explained || i != keeper)
      std::erase(batch[i].attempts, together);  // nothing happened to it alone
    tell(batch[i], std::move(*settled[i]), 1, sink);
  }
}

Judgement Lane::runPieces(const Case& testCase, std::string& workerStderr) {
  PiecesOptions options;
  options.piece = options_.piece.value_or(kPieceBytes);
  options.timeout = options_.timeout;
  options.highest = identity_->maxLevel;
  options.strictness = options_.strictness;
  options.poison = options_.poison;
  for (int unrelated = 0;; ++unrelated) {
    options.id = nextId_++;
    std::optional<Judgement> judgement;
    try {
      auto outcome = runInPieces(*worker_, testCase, *options_.mode.descriptor(testCase), options);
      if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
        judgement = judgementOf(*failure);
        if (std::holds_alternative<gpu::DiedAfterLastAnswer>(*failure)) {
          report("between cases", {*judgement, worker_->takeStderr(), true});
          ++deathsBetweenCases_;
          if (unrelated < kMostUnrelatedDeaths && !over() && !tooManyLost()) {
            restart();
            continue;
          }
        }
      } else {
        judgement = std::get<Judgement>(std::move(outcome));
      }
    } catch (const std::exception& error) {
      judgement = {Verdict::InternalError, error.what(), {}};
      worker_->kill();  // it may be owed answers
    }
    workerStderr = worker_->takeStderr();
    // The device stays removed for this worker; a new worker gets a new device.
    if (judgement->verdict == Verdict::DeviceRemoved) worker_->kill();
    if (worker_->usable()) {
      lost_ = 0;
    } else {
      ++lost_;
      if (!tooManyLost()) restart();
    }
    return *judgement;
  }
}

void Lane::settlePieces(const ScheduledCase& planned, size_t index, const Sink& sink) {
  PreparedCase unprepared;
  unprepared.testCase = &planned.testCase;
  const auto again = [](const Judgement& judgement) {
    return judgement.verdict == Verdict::Fail || judgement.verdict == Verdict::Crash ||
           judgement.verdict == Verdict::Timeout || judgement.verdict == Verdict::DeviceRemoved;
  };
  const auto start = Clock::now();
  std::string words;
  std::vector<std::string> attempts;
  Judgement judgement = runPieces(planned.testCase, words);
  if (again(judgement) && !over() && !tooManyLost()) {
    const Judgement first = std::exchange(judgement, {});
    attempts.push_back(attemptText(inAMessageOf(1), first));
    judgement = runPieces(planned.testCase, words);
    attempts.push_back(attemptText("again, alone", judgement));
    if (!isFailure(judgement.verdict)) judgement = flaky(inAMessageOf(1), first);
  }
  if (over()) return;
  const bool passed = judgement.verdict == Verdict::Pass;
  sink({index, unprepared, std::move(judgement), nullptr, attempts, passed ? "" : words,
        secondsSince(start)});
}

void Lane::run(const std::vector<ScheduledCase>& cases, const Next& next, const Sink& sink) {
  stopped_ = false;
  identity();
  if (!worker_->usable()) restart();
  alone_.clear();
  inPieces_.reset();
  undecided_.clear();
  std::deque<Batch> flight;
  bool more = true;
  auto lastAnswer = Clock::now();
  while (!over()) {
    while ((more || !alone_.empty()) && !inPieces_ && undecided_.empty() &&
           flight.size() < kBatchesInFlight) {
      Batch batch = assemble(cases, next, sink);
      if (batch.empty()) {
        more = inPieces_.has_value();
        break;
      }
      send(batch);
      flight.push_back(std::move(batch));
    }
    if (flight.empty()) {
      if (!undecided_.empty()) {
        deliverUndecided(sink);
      } else if (inPieces_) {
        settlePieces(cases[*inPieces_], *inPieces_, sink);
        inPieces_.reset();
      } else {
        return;
      }
      if (tooManyLost()) {
        throw WorkersLost(fmt::format("{} workers were lost in a row or between cases",
                                      std::max(lost_, deathsBetweenCases_)));
      }
      lastAnswer = Clock::now();
      continue;
    }

    std::vector<gpu::Answer> answers;
    const auto workerFailure = receive(answers);
    if (over()) break;
    Batch batch = std::move(flight.front());
    flight.pop_front();
    if (!workerFailure) {
      const double seconds = secondsSince(lastAnswer);
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
          fmt::format("{} workers were lost in a row or between cases, the last because {}",
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
  if (goesInPieces(testCase)) {
    std::string words;
    trial.judgement = runPieces(testCase, words);
    lost_ = 0;
    return trial;
  }
  Batch batch(1);
  try {
    batch.front().prepared =
        prepare(testCase, nextId_, options_.repeat, options_.poison, options_.mode);
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

Judgement Lane::tryProgram(const Program& program) {
  for (const Case& testCase : program.operators) {
    const Level highest = identity().maxLevel;
    if (testCase.level <= highest) continue;
    return {
        Verdict::NotAsked, fmt::format("above the target's highest level, {}", name(highest)), {}};
  }
  const auto outcome = trySequence(sequenceOf(program));
  if (const auto* judgement = std::get_if<Judgement>(&outcome)) return *judgement;
  return judge(program, std::get<gpu::Answer>(outcome), options_.strictness);
}

std::variant<gpu::Answer, Judgement> Lane::trySequence(const gpu::Sequence& sequence) {
  stopped_ = false;
  identity();
  if (over()) return Judgement{Verdict::InternalError, "the harness was told to stop", {}};
  if (std::ranges::find(capabilities_, gpu::kSequences) == capabilities_.end()) {
    return Judgement{
        Verdict::NotSupported,
        fmt::format("the worker's hello does not name the capability \"{}\"", gpu::kSequences),
        {}};
  }
  if (!worker_->usable()) restart();
  auto outcome = worker_->sequence(sequence, options_.timeout);
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) return judgementOf(*failure);
  gpu::Answer& answer = std::get<gpu::Answers>(outcome).answers.front();
  if (answer.status != gpu::Status::DeviceRemoved) return std::move(answer);
  worker_->kill();  // the device stays removed for it
  return Judgement{
      Verdict::DeviceRemoved, answer.message, {}, {{std::string(kind::kDeviceRemoved), 1}}};
}

double Lane::bareCasesPerSecond(const std::vector<const Case*>& cases) {
  if (!worker_->usable()) restart();
  std::vector<gpu::Request> requests;
  for (const Case* each : cases) {
    if (notAsked(*each)) continue;
    PreparedCase prepared = prepare(*each, nextId_++, 1, 0, options_.mode);
    requests.push_back(std::move(prepared.requests.front()));
  }
  if (requests.empty()) return 0;
  const auto outcome = worker_->bare(requests, options_.startTimeout);
  const auto* bare = std::get_if<gpu::BareSeconds>(&outcome);
  if (!bare || bare->seconds <= 0) return 0;
  return static_cast<double>(requests.size()) / bare->seconds;
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

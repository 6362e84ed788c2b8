#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/judging/judge.h"
#include "conformance/run/required_target.h"
#include "conformance/run/schedule.h"
#include "gpu/worker/client.h"
#include "reports/journal/journal.h"

namespace dmlcts {

struct LaneOptions {
  gpu::WorkerCommand command;
  RequiredTarget required = {};
  std::chrono::milliseconds startTimeout{60000};
  std::chrono::milliseconds timeout{60000};  // per case, once it is alone
  Strictness strictness = Strictness::Documents;
  std::chrono::milliseconds leaveTimeout{30000};
  uint32_t repeat = 1;
  uint32_t mostLost = 20;  // workers, in a row or between cases, before run() gives up
  uint64_t poison = 0;     // see prepare(); 0: random
  ExecutionMode mode = {};
  // Bytes of the pieces (in_pieces.h) in which to transfer each case without modes of its own.
  std::optional<uint64_t> piece = {};
  uint64_t memory = UINT64_MAX;  // most bytes of a case's buffers; larger cases are NotSupported
  // Returns why a case must not be sent, or nothing; its verdict is then Skipped. Called on the
  // lane's thread.
  std::function<std::optional<std::string>(const Case&)> whySkipped = {};
  // Called for every worker failure, on the lane's thread.
  std::function<void(const JournalWorkerFailure&)> onWorkerFailure = {};
  const std::atomic<bool>* cancel = nullptr;                  // run() returns once this is set
  gpu::Worker::Clock clock = std::chrono::steady_clock::now;  // for deadlines; replaced in tests
};

// A case's outcome, with the data for a failure bundle. References are valid only during the call.
struct CaseOutcome {
  size_t index;  // in the schedule
  const PreparedCase& prepared;
  Judgement judgement;
  const gpu::Answer* answer;          // of the first run; null if there was none
  std::vector<std::string> attempts;  // outcome of each attempt, if there were several
  std::string workerStderr;           // kept unless Pass
  double seconds;
};

// A worker could not be started, or its replacement has another identity. The text contains its
// message.
class WorkerStartError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws for a worker that did not say hello; `words` is its stderr. std::invalid_argument if its
// options ask for something it lacks, else WorkerStartError.
[[noreturn]] void throwNotStarted(const gpu::Failure& failure, const std::string& words);

// Thrown when LaneOptions::mostLost workers were lost in a row or between cases.
class WorkersLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One worker process and its cases. Keeps two batches in flight and compares answers with the
// oracle's. Replaces the worker when it crashes, hangs, breaks the protocol or loses its device.
//
// Every such worker failure gets a verdict. The batch's cases are run again one by one. If none
// reproduces the failure alone, the smallest set that does is searched. If there is none, one case
// is Flaky. A Fail is also repeated alone, and is Flaky if it then passes.
//
// A case may have to be rejected for its level alone, but be accepted. It waits until nothing is in
// flight, then fixed descriptors of that kind are tried. If the worker rejects one, its device
// gates levels, and the case fails.
class Lane {
 public:
  using Next = std::function<std::optional<size_t>()>;  // the next case to run, if any
  using Sink = std::function<void(const CaseOutcome& outcome)>;

  // Starts the worker and returns at once.
  explicit Lane(LaneOptions options);

  // Waits for the worker's hello. Throws WorkerStartError, or WrongTarget if LaneOptions::required
  // does not match.
  const gpu::Identity& identity();

  // Runs cases until none are left or stop() is called. Throws WorkerStartError and WorkersLost;
  // cases without a verdict may then be run again.
  void run(const std::vector<ScheduledCase>& cases, const Next& next, const Sink& sink);

  // Called by a sink: no further verdicts follow, not even for cases that the worker already has.
  void stop() { stopped_ = true; }

  // Runs one case by itself, once. A lost worker is replaced.
  struct Trial {
    PreparedCase prepared;
    Judgement judgement;
    std::optional<gpu::Answer> answer;  // of the first run
  };
  Trial tryCase(const Case& testCase);

  // Sends a request by itself, as it is, and returns the answer. A lost worker is replaced.
  gpu::Outcome<gpu::Answer> ask(const gpu::Request& request);

  // True once run() was stopped or the run is cancelled.
  bool over() const { return stopped_ || (options_.cancel && *options_.cancel); }

  // Measures the bare API's rate in cases per second, run one by one. 0 if the target has no such
  // loop or something failed.
  double bareSeconds(const std::vector<ScheduledCase>& cases);

  // Tells the worker to exit and checks how it ends. Nothing can be run afterwards.
  void finish();

 private:
  struct Item {
    size_t index = 0;
    PreparedCase prepared;
    std::optional<Judgement> first;     // a Fail that is being repeated
    size_t firstTogether = 0;           // cases in the message of that Fail
    std::vector<std::string> attempts;  // earlier ones
    std::optional<Judgement> inPieces;  // of one that was executed in pieces
  };
  using Batch = std::vector<Item>;  // what goesAlone() is alone in it, and in flight

  // The failure that kept a batch from being answered.
  struct WorkerFailure {
    Judgement judgement;  // what a verdict would say
    std::string workerStderr;
    bool unrelated = false;  // the worker died before it started the batch
  };
  // The judged answers to one item of a batch.
  struct Settled {
    Judgement judgement;
    std::optional<gpu::Answer> answer;  // of the first run; none if in pieces
    std::string workerStderr;
    double seconds = 0;
  };

  // Checks both, because a worker that dies after each answer is never lost twice in a row.
  bool tooManyLost() const {
    return lost_ >= options_.mostLost || deathsBetweenCases_ >= options_.mostLost;
  }
  void start();
  void greet();
  void restart();
  void report(const char* when, const WorkerFailure& workerFailure);
  // Returns the first capability that the case needs and the worker lacks, or "".
  std::string unknown(const Case& testCase) const;
  // Returns the verdict of a case that is not sent, or nothing.
  std::optional<Judgement> notAsked(const Case& testCase) const;
  Batch assemble(const std::vector<ScheduledCase>& cases, const Next& next, const Sink& sink);
  bool hasRoom(const std::deque<Batch>& flight) const;
  void send(Batch& batch);
  std::optional<WorkerFailure> receive(Batch& batch, std::vector<gpu::Answer>& answers);
  bool goesInPieces(const Case& testCase) const;
  bool goesInPieces(const Item& item) const { return goesInPieces(*item.prepared.testCase); }
  bool isOften(const Case& testCase) const;  // in mode endurance
  bool passes(const Item& item, std::span<const gpu::Answer> answers) const;
  bool goesAlone(const Item& item) const {
    return goesInPieces(item) || isOften(*item.prepared.testCase);
  }
  void prepareItem(Item& item, const Case& testCase);
  std::optional<WorkerFailure> runInPieces(Item& item);
  WorkerFailure lostBy(const gpu::Failure& failure);
  std::optional<WorkerFailure> runOnce(Batch& batch, std::vector<gpu::Answer>& answers);
  Settled settle(const Item& item, std::span<gpu::Answer> answers);
  void tell(Item& item, Settled settled, size_t together, const Sink& sink);
  // True if the device rejects features that it has but the level lacks. Nothing may be in flight.
  bool gatesLevels();
  // Delivers the verdicts of cases that wait for gatesLevels().
  void deliverUndecided(const Sink& sink);
  void deliver(Batch& batch, std::vector<gpu::Answer>& answers, double seconds, const Sink& sink);
  void investigate(Batch batch, const WorkerFailure& workerFailure, const Sink& sink);
  std::vector<size_t> searchSet(Batch& batch, WorkerFailure& workerFailure);

  LaneOptions options_;
  std::optional<gpu::Worker> worker_;
  std::optional<gpu::Identity> identity_;
  std::vector<std::string> capabilities_;  // from the worker's hello
  uint64_t nextId_ = 1;
  double secondsPerCase_ = 0.02;  // running estimate; sets batch sizes
  size_t mostCases_;              // in a batch
  std::deque<Item> alone_;        // to be run next, each alone
  struct Undecided {
    Item item;
    Settled settled;
    size_t together;
  };
  std::vector<Undecided> undecided_;  // cases waiting for levelGate_
  std::optional<bool> levelGate_;     // nothing until tested
  int setsFound_ = 0;                 // case sets that only together reproduce a worker failure
  uint32_t lost_ = 0;                 // workers lost in a row
  int unrelatedDeaths_ = 0;           // in a row
  uint32_t deathsBetweenCases_ = 0;
  bool stopped_ = false;
};

// Verdicts for worker failures and for cases sent more than once.

Judgement judgementOf(const gpu::Failure& failure);

// Returns "alone" or "in a message of 3 cases".
std::string inAMessageOf(size_t cases);

// Returns an attempt's outcome, for JournalEntry::attempts.
std::string attemptText(std::string_view circumstance, const Judgement& judgement);

// The judgement of a failure that happened once, in `circumstance`, and did not recur.
Judgement flaky(std::string_view circumstance, const Judgement& once);

// Parallel lanes: the first, and others with workers of their own.
class Lanes {
 public:
  // Throws WorkerStartError if a worker does not start, or hosts something other than the first
  // one.
  Lanes(uint32_t jobs, const LaneOptions& options, Lane& first);

  size_t size() const { return all_.size(); }
  Lane& operator[](size_t number) const { return *all_[number]; }

  // Calls work(number) for all lanes at once, and waits. Throws the first error; then `stop` tells
  // the others to end soon, on any thread.
  void run(const std::function<void(size_t number)>& work, const std::function<void()>& stop) const;

  // Lets the other workers exit.
  void finishOthers();

 private:
  std::deque<Lane> others_;
  std::vector<Lane*> all_;
};

}  // namespace dmlcts

#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "conformance/run/judge.h"
#include "conformance/run/program.h"
#include "conformance/run/required_target.h"
#include "conformance/run/schedule.h"
#include "gpu/worker/client.h"
#include "reports/journal/journal.h"

namespace dmlcts {

struct LaneOptions {
  gpu::WorkerCommand command;
  RequiredTarget required = {};
  std::chrono::milliseconds startTimeout{60000};
  std::chrono::milliseconds timeout{60000};  // for a case, once it is alone
  Strictness strictness = Strictness::Documents;
  std::chrono::milliseconds leaveTimeout{30000};
  uint32_t repeat = 1;
  uint32_t mostLost = 20;  // workers in a row, or between cases, until run() gives up
  uint64_t poison = 0;     // see prepare(); 0: another one each time
  ExecutionMode mode = {};
  std::optional<uint64_t> piece = {};  // all cases cross in pieces of that many bytes (in_pieces.h)
  uint64_t memory = UINT64_MAX;        // bytes that a case's buffers may have; else NotSupported
  // Why a case must not be sent, where it must not: its verdict is Skipped. Called on the lane's
  // thread.
  std::function<std::optional<std::string>(const Case&)> whySkipped = {};
  // Called with what happens to workers outside any case. On the lane's thread.
  std::function<void(const JournalWorkerFailure&)> onWorkerFailure = {};
  const std::atomic<bool>* cancel = nullptr;                  // once it is set, run() returns
  gpu::Worker::Clock clock = std::chrono::steady_clock::now;  // of deadlines, for tests of them
};

// How a case ended, with what a failure bundle needs. References are valid during the call only.
struct CaseOutcome {
  size_t index;  // in the schedule
  const PreparedCase& prepared;
  Judgement judgement;
  const gpu::Answer* answer;          // of the first run; null when there was none
  std::vector<std::string> attempts;  // when it took more than one, how each ended
  std::string workerStderr;           // kept for verdicts other than Pass
  double seconds;
};

// A worker could not be started, or not replaced by one of the same identity; the text holds its
// message.
class WorkerStartError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// For a worker that did not say hello, of its stderr `words`: throws std::invalid_argument where
// its options ask for what it cannot give, else WorkerStartError.
[[noreturn]] void throwNotStarted(const gpu::Failure& failure, const std::string& words);

// LaneOptions::mostLost workers were lost in a row, or between cases.
class WorkersLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One worker process and the cases it is given: keeps two batches in flight, compares answers with
// the oracle's, and replaces the worker whenever it crashes, hangs, breaks the protocol or loses
// its device. Every such worker failure gets a verdict. The cases of the batch are run again one by
// one; when none of them alone brings it back, the smallest set of them that does is looked for,
// and when there is none, one case is Flaky. A Fail is also run again alone, and is Flaky when it
// passes then.
//
// A case that is to be rejected for its level alone, and is accepted, waits until nothing is in
// flight. Then the worker is asked fixed descriptors of that kind, whatever the run is about: where
// it rejects one, its device has a gate for the levels, and the case fails.
class Lane {
 public:
  using Next = std::function<std::optional<size_t>()>;  // the next case to run, if any
  using Sink = std::function<void(const CaseOutcome& outcome)>;

  // Starts the worker and returns at once.
  explicit Lane(LaneOptions options);

  // Waits for the worker's hello. Throws WorkerStartError, and WrongTarget when
  // it is not what LaneOptions::required says.
  const gpu::Identity& identity();

  // Runs cases until there are none, or `stop`. Throws WorkerStartError and WorkersLost; what has
  // no verdict then may be run again.
  void run(const std::vector<ScheduledCase>& cases, const Next& next, const Sink& sink);

  // Called by a sink: no verdict follows the one that it was given, not even of cases that the
  // worker already has.
  void stop() { stopped_ = true; }

  // One case by itself, outside any run, once. A worker that does not survive it is replaced.
  struct Trial {
    PreparedCase prepared;
    Judgement judgement;
    std::optional<gpu::Answer> answer;  // of the first run
  };
  Trial tryCase(const Case& testCase);

  // A sequence of calls by itself, once. A worker that does not survive it is replaced.
  Judgement tryProgram(const Program& program);

  // How many of these cases the bare API does in a second, one by one; 0 when the target has no
  // such loop or something went wrong.
  double bareCasesPerSecond(const std::vector<const Case*>& cases);

  // Tells the worker to exit and checks how it does. Nothing more can be run.
  void finish();

 private:
  struct Item {
    size_t index = 0;
    PreparedCase prepared;
    std::optional<Judgement> first;     // a Fail that is run again
    size_t firstTogether = 0;           // cases in the message that it came in
    std::vector<std::string> attempts;  // before this one
  };
  using Batch = std::vector<Item>;

  // What kept a batch from being answered.
  struct WorkerFailure {
    Judgement judgement;  // as a verdict would say it
    std::string workerStderr;
    bool unrelated = false;  // the worker died before it took the batch up
  };
  // The answers to one of a batch's items, judged.
  struct Settled {
    Judgement judgement;
    gpu::Answer answer;  // of the first run
    std::string workerStderr;
    double seconds = 0;
  };

  // What the target answered, or what kept it from answering.
  std::variant<gpu::Answer, Judgement> trySequence(const gpu::Sequence& sequence);
  bool over() const { return stopped_ || (options_.cancel && *options_.cancel); }
  // A worker that dies after each answer is never lost twice in a row.
  bool tooManyLost() const {
    return lost_ >= options_.mostLost || deathsBetweenCases_ >= options_.mostLost;
  }
  void start();
  void greet();
  void restart();
  void report(const char* when, const WorkerFailure& workerFailure);
  // Of what the case needs and the worker does not know, the first; or "".
  std::string unknown(const Case& testCase) const;
  // The verdict of a case that is not sent.
  std::optional<Judgement> notAsked(const Case& testCase) const;
  Batch assemble(const std::vector<ScheduledCase>& cases, const Next& next, const Sink& sink);
  void send(Batch& batch);
  std::optional<WorkerFailure> receive(std::vector<gpu::Answer>& answers);
  bool goesInPieces(const Case& testCase) const;
  // One case in pieces, once, with nothing else in flight. A worker that is lost is replaced, and
  // its words are kept.
  Judgement runPieces(const Case& testCase, std::string& workerStderr);
  // The same until it has its verdict.
  void settlePieces(const ScheduledCase& planned, size_t index, const Sink& sink);
  std::optional<WorkerFailure> runOnce(Batch& batch, std::vector<gpu::Answer>& answers);
  Settled settle(const Item& item, std::span<gpu::Answer> answers);
  void tell(Item& item, Settled settled, size_t together, const Sink& sink);
  // Whether the device rejects what a level lacks though it can do it. Nothing may be in flight.
  bool hasLevelGate();
  // Gives the cases that wait for the answer to that their verdicts.
  void tellUndecided(const Sink& sink);
  void deliver(Batch& batch, std::vector<gpu::Answer>& answers, double seconds, const Sink& sink);
  void investigate(Batch batch, const WorkerFailure& workerFailure, const Sink& sink);
  std::vector<size_t> searchSet(Batch& batch, WorkerFailure& workerFailure);

  LaneOptions options_;
  std::optional<gpu::Worker> worker_;
  std::optional<gpu::Identity> identity_;
  std::vector<std::string> capabilities_;  // of the worker's hello
  uint64_t nextId_ = 1;
  double secondsPerCase_ = 0.02;    // running estimate, for the size of batches
  size_t mostCases_;                // in a batch
  std::deque<Item> alone_;          // to be run next, each alone
  std::optional<size_t> inPieces_;  // a case to be run next, with nothing in flight
  struct Undecided {
    Item item;
    Settled settled;
    size_t together;
  };
  std::vector<Undecided> undecided_;  // until the gate is known
  std::optional<bool> levelGate_;     // of the device, once it was asked
  int setsFound_ = 0;                 // that only together brought a worker failure back
  uint32_t lost_ = 0;                 // workers, in a row
  int unrelatedDeaths_ = 0;           // in a row
  uint32_t deathsBetweenCases_ = 0;
  bool stopped_ = false;
};

}  // namespace dmlcts

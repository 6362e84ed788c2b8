#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/process/peer.h"
#include "gpu/target.h"
#include "gpu/wire/frame.h"
#include "gpu/wire/protocol.h"
#include "gpu/worker/answer_shape.h"

// The harness's side: starts a worker, sends it orders, and survives whatever it does.

namespace dmlcts::gpu {

// Failures of an order to a worker, which is gone (killed if necessary) when one is returned.

// The worker exited and said that the target cannot be created or is unusable.
struct TargetUnavailable {
  std::string text;
  bool badOptions = false;  // they ask for an impossible target
};
// The worker ended during an order that it had begun.
struct Crashed {
  std::string how;  // "signal 11 (SIGSEGV)", "exit status 3"
};
// The worker ended before it began the order, having answered everything earlier. No case in flight
// is at fault: send those to another worker.
struct DiedAfterLastAnswer {
  std::string how;       // as above
  bool leaving = false;  // told to exit, but did not exit cleanly
};
struct TimedOut {
  std::chrono::milliseconds after{0};
  bool greeted = true;  // false: while hello was waited for
};
// The worker violated the protocol, or refused a message.
struct ProtocolViolation {
  std::string text;
  bool refused = false;
  bool isText = false;  // it wrote text to standard output where a frame must begin
};

// Nobody waits for the answer; see Worker::cancelWhen.
struct Cancelled {};

using Failure = std::variant<TargetUnavailable, Crashed, DiedAfterLastAnswer, TimedOut,
                             ProtocolViolation, Cancelled>;

// Describes the failure in one line.
std::string describe(const Failure& failure);

template <class Reply>
using Outcome = std::variant<Reply, Failure>;

// The worker exited cleanly when told to.
struct Finished {};

// One worker, for use by one thread.
//
//   Worker worker({{"dmlcts-worker", "--target", "d3d12"}, {}});
//   auto hello = worker.hello(30s);                  // Outcome<Hello>
//   worker.send(batch1);
//   while (…) { worker.send(next); auto outcome = worker.receive(10s); … }
//   auto end = worker.finish(5s);
//
// Any Failure ends the worker: it is dead and reaped when the call returns, and batches in flight
// are lost. After that call only takeStderr() and the destructor. Deadlines count from the call.
// Calls in the wrong order throw std::logic_error.
class Worker {
 public:
  using Deadline = std::chrono::milliseconds;

  // Throws std::runtime_error if the command cannot be started.
  explicit Worker(const WorkerCommand& command);

  // Waits for the target's creation. Call it first. TargetUnavailable: the target could not be
  // created.
  Outcome<Hello> hello(Deadline deadline);

  // Queues a batch and returns at once. Keep two or three batches in flight to keep both sides
  // busy. Throws ProtocolError for a malformed request ("run.requests[3].inputs[0].offset: …") and
  // sends nothing.
  void send(std::span<const Request> batch);

  // Returns the number of batches sent but not received.
  size_t inFlight() const { return inFlight_.size(); }

  // Returns the answers to the oldest batch in flight: one per request, in order, with its id and
  // buffers of its sizes.
  Outcome<Answers> receive(Deadline deadline);

  // Send an order and wait. Require that nothing is in flight. A timing's order is encodeTime() of
  // the request, and its outputs have the request's sizes.
  Outcome<Timing> time(Bytes order, const Request& request, uint32_t repetitions,
                       Deadline deadline);
  Outcome<BareSeconds> bare(std::span<const Request> requests, Deadline deadline);
  Outcome<CopyTiming> copy(uint64_t bytes, uint32_t repetitions, Deadline deadline);

  // Queues a message of a program, as send() does; receive() returns its answer. If Executed, its
  // outputs have the sizes that each Get reads. While the program continues, send nothing else.
  void sendProgram(const Program& program);

  // Tells the worker to exit, waits until the deadline, then kills it. Nothing may be in flight.
  // DiedAfterLastAnswer: it had answered everything but was already gone, or it did not exit
  // cleanly (`leaving`).
  Outcome<Finished> finish(Deadline deadline);

  // Moves bytes without waiting, as send() and receive() also do. Call it during long work, so that
  // the worker need not wait.
  void progress();

  void kill();

  // While `flag` is set, waiting for a reply ends with Cancelled. The flag must outlive this
  // object.
  void cancelWhen(const std::atomic<bool>* flag) { cancel_ = flag; }

  // Replaces the steady clock for deadlines, for tests.
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  void readTimeFrom(Clock clock) { now_ = std::move(clock); }

  // True until a Failure, finish() or kill().
  bool usable() const { return usable_; }

  // Returns the last 64 KiB of the worker's stderr since the last call, as UTF-8.
  std::string takeStderr() { return peer_->takeStderr(); }

  // Returns -1 once the worker has ended.
  int64_t processId() const { return peer_->exited() ? -1 : peer_->id(); }

  // Times at which the last order had been written, and its reply began.
  struct Moments {
    std::chrono::steady_clock::time_point sent;
    std::chrono::steady_clock::time_point answering;
  };
  const Moments& moments() const { return moments_; }

  // Returns the bytes in this object's buffers, for tests of their limits.
  size_t memory() const;

 private:
  struct PendingReply {   // a reply that the worker owes
    uint64_t begins = 0;  // start of its order in all bytes sent
    uint64_t maxPayload = 0;
    std::vector<AnswerShape> expected;  // of a batch
  };

  void queue(Bytes frame, uint64_t maxPayload, std::vector<AnswerShape> expected = {});
  bool move(std::chrono::milliseconds wait);
  std::optional<Failure> await(Deadline deadline);
  // A message for which `check` throws ProtocolError is a violation.
  template <class Message, class Check = std::identity>
  Outcome<Message> reply(Deadline deadline, Check check = {});
  template <class Message, class Check = std::identity>
  Outcome<Message> ask(Bytes frame, uint64_t maxPayload, Deadline deadline, Check check = {});
  void requireIdle(const char* call) const;
  void requireUsable(const char* call) const;

  void retire(std::chrono::milliseconds grace);
  Failure conclude(Failure failure, std::chrono::milliseconds grace = {});
  Failure concludeEnded(std::chrono::steady_clock::time_point deadline);
  std::optional<ProtocolViolation> textInstead() const;

  std::unique_ptr<Peer> peer_;
  const std::atomic<bool>* cancel_ = nullptr;
  Clock now_ = std::chrono::steady_clock::now;
  bool usable_ = true;
  bool greeted_ = false;
  std::deque<PendingReply> inFlight_;
  std::deque<Bytes> outgoing_;
  size_t outgoingDone_ = 0;  // of the first frame
  uint64_t queued_ = 0;      // total bytes
  uint64_t written_ = 0;     // total bytes
  Moments moments_;
  FrameReader incoming_;
  std::optional<ProtocolViolation>
      violation_;  // found while moving bytes; the next receive reports
  bool outputEnded_ = false;
};

}  // namespace dmlcts::gpu

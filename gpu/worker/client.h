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
#include <vector>

#include "gpu/process/peer.h"
#include "gpu/wire/frame.h"
#include "gpu/wire/protocol.h"
#include "gpu/worker/answer_shape.h"
#include "gpu/worker/outcome.h"

// The harness's side: starts a worker, gives it orders, and survives whatever it does.

namespace dmlcts::gpu {

// The worker exited cleanly when told to.
struct Finished {};

// One worker. Not to be shared between threads.
//
//   Worker worker({{"dmlcts-worker", "--target", "d3d12"}, {}});
//   auto hello = worker.hello(30s);                  // Outcome<Hello>
//   worker.send(batch1);
//   while (…) { worker.send(next); auto outcome = worker.receive(10s); … }
//   auto end = worker.finish(5s);
//
// Any Failure ends the worker: it is dead and reaped when the call returns, batches in flight are
// forgotten, and only takeStderr() and the destructor remain to be called. Deadlines count from the
// call. Calls in the wrong order throw std::logic_error.
class Worker {
 public:
  using Deadline = std::chrono::milliseconds;

  // Throws std::runtime_error when the command cannot be started at all.
  explicit Worker(const WorkerCommand& command);

  // Waits for the target to be made. Call it first. GaveUp: it could not be made.
  Outcome<Hello> hello(Deadline deadline);

  // Queues a batch behind those in flight and returns at once; two or three in flight keep both
  // sides busy. Throws ProtocolError, having sent nothing, when a request is malformed ("run.
  // requests[3].inputs[0].offset: …").
  void send(std::span<const Request> batch);

  // Batches sent and not yet received.
  size_t inFlight() const { return inFlight_.size(); }

  // The answers to the oldest batch in flight: one to each request, in order, with its id and
  // buffers of its sizes.
  Outcome<Answers> receive(Deadline deadline);

  // Ask and wait. Nothing may be in flight. Outputs of a timing are of the request's sizes.
  Outcome<Timing> time(const Request& request, uint32_t repetitions, uint64_t evict,
                       Deadline deadline);
  Outcome<BareSeconds> bare(std::span<const Request> requests, Deadline deadline);
  Outcome<CopyTiming> copy(uint64_t bytes, uint32_t repetitions, Deadline deadline);

  // One answer.
  Outcome<Answers> misuse(const MisusedOperator& misused, Deadline deadline);

  // One answer; where it is Executed, its outputs are buffers of the sizes sent.
  Outcome<Answers> sequence(const Sequence& sequence, Deadline deadline);

  // Orders of a request in pieces (in_pieces.h). They are queued as send() does it, answered in
  // order, and an answer is taken by receiveStep(), of a get() with as many bytes as asked for
  // where it is Created. Only between open() and close() may they be mixed, and with nothing else.
  void open(const LargeRequest& request);
  void put(const Put& put);
  void start();
  void get(const Get& get);
  void close();
  Outcome<Stepped> receiveStep(Deadline deadline);

  // Tells the worker to exit and waits until the deadline; then kills it. Nothing may be in flight.
  // DiedAfterLastAnswer: all its answers had come, but it was gone already, or ended by a signal or
  // with an exit status other than 0 (`leaving`).
  Outcome<Finished> finish(Deadline deadline);

  // Moves bytes without waiting. send() and receive() do so too; call it now and then during long
  // work of your own, so that the worker need not wait for it.
  void progress();

  void kill();

  // While `flag` is set, waiting for a reply ends with Cancelled. It must outlive this.
  void cancelWhen(const std::atomic<bool>* flag) { cancel_ = flag; }

  // Deadlines are read from this clock, for tests of them; else from the steady clock.
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  void readTimeFrom(Clock clock) { now_ = std::move(clock); }

  // Until a Failure, finish() or kill().
  bool usable() const { return usable_; }

  // The last 64 KiB that the worker wrote to stderr since the last call, as UTF-8.
  std::string takeStderr() { return peer_->takeStderr(); }

  // -1 once it has ended.
  int64_t processId() const { return peer_->exited() ? -1 : peer_->id(); }

  // Bytes in this object's buffers, for tests of their bounds.
  size_t memory() const;

 private:
  struct Owed {           // a reply that the worker owes
    uint64_t begins = 0;  // where its order starts in all that is sent, in bytes
    uint64_t maxPayload = 0;
    std::vector<AnswerShape> expected;  // of a batch
    uint64_t piece = 0;                 // bytes that a get() asked for
  };

  void queue(Bytes frame, uint64_t maxPayload, std::vector<AnswerShape> expected = {});
  bool move(std::chrono::milliseconds wait);
  std::optional<Failure> await(Deadline deadline);
  template <class Message>
  Outcome<Message> reply(Deadline deadline);
  template <class Message>
  Outcome<Message> ask(Bytes frame, uint64_t maxPayload, Deadline deadline);
  void requireIdle(const char* call) const;
  void requireUsable(const char* call) const;

  void retire(std::chrono::milliseconds grace);
  Failure conclude(Failure failure, std::chrono::milliseconds grace = {});
  Failure concludeEnded();

  std::unique_ptr<Peer> peer_;
  const std::atomic<bool>* cancel_ = nullptr;
  Clock now_ = std::chrono::steady_clock::now;
  bool usable_ = true;
  bool greeted_ = false;
  std::deque<Owed> inFlight_;
  std::deque<Bytes> outgoing_;
  size_t outgoingDone_ = 0;  // of the first
  uint64_t queued_ = 0;      // bytes ever
  uint64_t written_ = 0;     // bytes ever
  FrameReader incoming_;
  std::optional<std::string> violation_;  // seen while moving bytes, told at the next receive
  bool outputEnded_ = false;
};

}  // namespace dmlcts::gpu

#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/run/judging/judge.h"
#include "conformance/run/lane/blame.h"
#include "conformance/run/lane/exchange.h"
#include "conformance/run/lane/kept_worker.h"
#include "conformance/run/lane/lane_options.h"
#include "conformance/run/lane/level_gate.h"
#include "conformance/run/schedule.h"

namespace dmlcts {

// A case's outcome, with the data for a failure bundle. References are valid only during the call.
struct CaseOutcome {
  size_t index;  // in the schedule
  const PreparedCase& prepared;
  Judgement judgement;
  const gpu::Answer* answer;          // of the first run; null if there was none
  std::vector<std::string> attempts;  // outcome of each attempt, if there were several
  std::string workerStderr;           // kept unless Pass
  double seconds;
  Sent sent = {};  // the first attempt that failed, else the only one; no process if not sent
};

// One worker and its cases. Keeps two batches in flight and compares answers with the oracle's.
//
// Every case gets a verdict, whatever the worker does (blame.h). A Fail is repeated alone, and is
// Flaky if it then passes. A case that has to be rejected for its level alone, and is accepted,
// waits until nothing is in flight and the level gate is known (level_gate.h).
class Lane {
 public:
  using Next = std::function<std::optional<size_t>()>;  // the next case to run, if any
  using Sink = std::function<void(const CaseOutcome& outcome)>;

  // Starts the worker and returns at once.
  explicit Lane(LaneOptions options);
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  // Waits for the worker's hello. Throws WorkerStartError, or WrongTarget if LaneOptions::required
  // does not match.
  const gpu::Identity& identity() { return worker_.identity(); }

  // Runs cases until none are left or stop() is called. Throws WorkerStartError, WorkersLost and
  // WorkersWriteText; cases without a verdict may then be run again.
  void run(const std::vector<ScheduledCase>& cases, const Next& next, const Sink& sink);

  // Called by a sink: no further verdicts follow, not even for cases that the worker already has.
  void stop() { stopped_ = true; }

  // Runs one case by itself, once. A lost worker is replaced.
  struct Trial {
    PreparedCase prepared;
    Judgement judgement;
    std::optional<gpu::Answer> answer;  // of the first run
    std::string workerStderr;           // unless Pass
  };
  Trial tryCase(const Case& testCase);

  // Sends a request by itself, as it is, and returns the answer. A lost worker is replaced.
  gpu::Outcome<gpu::Answer> ask(const gpu::Request& request);

  // Returns the verdict of a case that is not sent, or nothing.
  std::optional<Judgement> whyNotSent(const Case& testCase);

  // Sends cases to a worker in order, one per message, and ignores the answers. Returns where and
  // how the worker was lost; it is then replaced.
  struct Lost {
    size_t position = 0;  // of the case that it was answering
    Judgement judgement;
    std::string workerStderr;
  };
  std::optional<Lost> sendBefore(std::span<const Case* const> cases);

  // True once run() was stopped or the run is cancelled.
  bool over() const { return stopped_ || worker_.cancelled(); }

  // Measures the bare API's rate in cases per second, run one by one. 0 if the target has no such
  // loop or something failed.
  double bareSeconds(const std::vector<ScheduledCase>& cases);

  // Ends the worker without a word. The next call that needs one starts another.
  void rest() { worker_->kill(); }
  void revive() { worker_.revive(); }

  // Tells the worker to exit and checks how it ends. Nothing can be run afterwards.
  void finish() { worker_.finish(); }

 private:
  Batch assemble(const std::vector<ScheduledCase>& cases, const Next& next, const Sink& sink);
  bool hasRoom(const std::deque<Batch>& flight) const;
  void requireWorkers(const std::string& why) const;
  void investigate(Batch batch, const WorkerFailure& failure, std::deque<Batch>& flight,
                   const Sink& sink);
  // Delivers a verdict, or first queues a Fail to be repeated alone. `together`: number of cases in
  // the answered message.
  void settle(Item& item, Settled settled, size_t together, const Sink& sink);
  void deliver(Item& item, Settled settled, const Sink& sink) const;
  void settleAll(Batch& batch, std::vector<gpu::Answer>& answers, double seconds, const Sink& sink);
  // Settles the cases that wait for the level gate.
  void settleUndecided(const Sink& sink);

  LaneOptions options_;
  KeptWorker worker_;
  Exchange exchange_;
  Blame blame_;
  LevelGate levelGate_;
  double secondsPerCase_ = 0.02;  // running estimate; sets batch sizes
  std::deque<Item> alone_;        // to be run next, each alone
  struct Undecided {
    Item item;
    Settled settled;
    size_t together;
  };
  std::vector<Undecided> undecided_;  // cases waiting for the level gate
  bool stopped_ = false;
};

}  // namespace dmlcts

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

// A case and the attempt that decided it.
struct CaseOutcome : RunningCase, Attempt {
  // Returns where it first failed, or where it was sent last.
  const Sent& sentWhenItFailed() const { return tries.empty() ? sent : tries.front().sent; }
};

// One worker and its cases. In go the cases of a schedule, out comes one CaseOutcome for each. The
// runner, fuzz, replay, survey and selftest call it.
//
//   Lane lane(options);                             // starts the worker
//   lane.run(schedule.cases, next, [&](const CaseOutcome& outcome) { … journal it … });
//   lane.finish();
//
// Keeps two batches in flight. A case takes these steps, each with a type of its own:
//
//   prepare   a Case to a PreparedCase: requests and expected outputs       judging/prepare.h
//   execute   a Batch of these to Executed, or to a WorkerFailure           exchange.h
//   judge     PreparedCase and answers to a Judgement, in an Attempt        judging/judge.h
//   confirm   runs a Fail again, alone: a CaseOutcome, which is handed to `record`
//
// Every case gets a verdict, whatever the worker does (blame.h). A Fail is repeated alone, and is
// Flaky if it then passes. A case that has to be rejected for its level alone, and is accepted,
// waits until nothing is in flight and the level gate is known (level_gate.h).
class Lane {
 public:
  using Next = std::function<std::optional<size_t>()>;  // the next case to run, if any
  using Record = std::function<void(const CaseOutcome& outcome)>;

  // Starts the worker and returns at once.
  explicit Lane(LaneOptions options);
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  // Waits for the worker's hello. Throws WorkerStartError, or WrongTarget if LaneOptions::required
  // does not match.
  const gpu::Identity& identity() { return worker_.identity(); }

  // Runs cases until none are left or stop() is called. Throws WorkerStartError, WorkersLost and
  // WorkersWriteText; cases without a verdict may then be run again.
  void run(const std::vector<ScheduledCase>& cases, const Next& next, const Record& record);

  // Called while it records: no further verdicts follow, not even for cases that the worker already
  // has.
  void stop() { stopped_ = true; }

  // Runs one case by itself, once. A lost worker is replaced.
  CaseOutcome tryCase(const Case& testCase);

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

  // Says where the time of all cases so far went; the rest is recording.
  const TimeSpent& spent() const { return exchange_.spent(); }

  // Ends the worker without a word. The next call that needs one starts another.
  void rest() { worker_->kill(); }
  void revive() { worker_.revive(); }

  // Tells the worker to exit and checks how it ends. Nothing can be run afterwards.
  void finish() { worker_.finish(); }

 private:
  Batch assemble(const std::vector<ScheduledCase>& cases, const Next& next, const Record& record);
  bool hasRoom(const std::deque<Batch>& flight) const;
  void requireWorkers(const std::string& why) const;
  void assignBlame(Batch batch, const WorkerFailure& failure, std::deque<Batch>& flight,
                   const Record& record);
  void judgeBatch(Batch batch, Executed executed, double seconds, const Record& record);
  // Records an outcome, but first queues a Fail to be repeated alone. `together`: number of cases
  // in the answered message.
  void confirm(CaseOutcome outcome, size_t together, const Record& record);
  // Confirms the cases that wait for the level gate.
  void confirmUndecided(const Record& record);
  static void recordOutcome(CaseOutcome outcome, const Record& record);

  LaneOptions options_;
  KeptWorker worker_;
  Exchange exchange_;
  Blame blame_;
  LevelGate levelGate_;
  double secondsPerCase_ = 0.02;   // running estimate; sets batch sizes
  std::deque<RunningCase> alone_;  // to be run next, each alone
  // Cases waiting for the level gate, each with the number of cases in its message.
  std::vector<std::pair<CaseOutcome, size_t>> undecided_;
  bool stopped_ = false;
};

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

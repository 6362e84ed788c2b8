#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "conformance/run/judging/judge.h"
#include "conformance/run/lane/kept_worker.h"

// The prepare, execute and judge steps of a lane's batches. In goes a batch of cases, out comes
// Executed, and from it an Attempt for each case; or the WorkerFailure that prevented it. Lane,
// Blame and LevelGate call it.
//
//   exchange.prepareCase(batch.front());
//   exchange.send(batch);                            // others may be in flight
//   BatchOutcome outcome = exchange.receive(batch);  // of the oldest batch
//   attempts = exchange.judge(batch, std::get<Executed>(std::move(outcome)));

namespace dmlcts {

// A past attempt at a case, as the journal lists it.
struct Try {
  std::string circumstance;            // "alone", "in a message of 3 cases"
  std::optional<Judgement> judgement;  // nothing: it was answered
  Sent sent;
};

// Returns a line for each, for JournalEntry::attempts.
std::vector<std::string> textsOf(std::span<const Try> tries);

// A case on its way to a verdict.
struct RunningCase {
  explicit RunningCase(const Case& testCase, std::optional<size_t> at = {}) : place(at) {
    prepared.testCase = &testCase;
  }

  std::optional<size_t> place;  // in the schedule
  PreparedCase prepared;        // without requests if it goes in pieces
  Sent sent;                    // the last time; no process if it was not sent
  std::vector<Try> tries;       // all, if there were several; the first is the first that failed

  const Case& testCase() const { return *prepared.testCase; }
  bool inPieces() const { return prepared.requests.empty(); }
};

using Batch = std::vector<RunningCase>;  // the cases of one message

// Holds a batch's answers: one for each request, in order. If its case went in pieces, that was
// judged on the way.
struct Executed {
  std::vector<gpu::Answer> answers;
  std::optional<Judgement> inPieces;
};

// Executed, or the failure that prevented it.
using BatchOutcome = std::variant<Executed, WorkerFailure>;

// The last execution of a case, judged. The output of every way to execute a case.
struct Attempt {
  Judgement judgement;
  std::optional<gpu::Answer> answer = {};  // of the first run; none if in pieces, or not answered
  std::string workerStderr = {};
  double seconds = 0;
};

// Sums up where the time of a lane goes, in seconds.
struct TimeSpent {
  double preparing = 0;  // inputs, expected outputs and poison
  double waiting = 0;    // for the worker's answers
  double judging = 0;

  TimeSpent& operator+=(const TimeSpent& other);
};

class Exchange {
 public:
  // Both must outlive this.
  Exchange(const LaneOptions& options, KeptWorker& worker) : options_(options), worker_(worker) {}

  // Returns the verdict of a case that is not sent, or nothing.
  std::optional<Judgement> whyNotSent(const Case& testCase) const;

  // True if nothing else may be in flight with the case: it takes several messages.
  bool goesAlone(const Case& testCase) const;

  // Makes what is to be sent, unless the case goes in pieces. Throws as prepare() does.
  void prepareCase(RunningCase& running);

  // Makes new poison if the case was sent before.
  void prepareAgain(RunningCase& running);

  // Queues a batch and returns at once.
  void send(Batch& batch);

  // Receives the answers to the oldest batch.
  BatchOutcome receive(Batch& batch);

  // Runs a batch with nothing else in flight, with poison of its own. A lost worker is replaced,
  // unless too many are lost.
  BatchOutcome runOnce(Batch& batch);

  // Judges each case of the batch.
  std::vector<Attempt> judge(const Batch& batch, Executed executed);

  const TimeSpent& spent() const { return spent_; }

 private:
  // Returns the first capability that the case needs and the worker lacks, or "".
  std::string unknown(const Case& testCase) const;
  bool goesInPieces(const Case& testCase) const;
  bool isOften(const Case& testCase) const;  // in mode endurance
  JudgeOptions judging() const { return {worker_.identity().maxLevel, options_.strictness}; }
  Judgement judgeCase(const RunningCase& running, std::span<const gpu::Answer> answers) const;
  std::variant<Judgement, WorkerFailure> runInPieces(const Case& testCase);

  const LaneOptions& options_;
  KeptWorker& worker_;
  uint64_t nextId_ = 1;
  TimeSpent spent_;
};

}  // namespace dmlcts

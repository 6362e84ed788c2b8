#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/run/judging/judge.h"
#include "conformance/run/lane/kept_worker.h"

namespace dmlcts {

// A case on its way to a verdict.
struct Item {
  std::optional<size_t> place;  // in the schedule
  PreparedCase prepared;
  Sent sent;                          // the last time
  std::optional<Sent> failedAs;       // the first time that it failed, alone or in a batch
  std::optional<Judgement> first;     // a Fail that is being repeated
  size_t firstTogether = 0;           // cases in the message of that Fail
  std::vector<std::string> attempts;  // earlier ones
  std::optional<Judgement> inPieces;  // of one that was executed in pieces
};

using Batch = std::vector<Item>;  // the cases of one message

// An attempt at a case: its answers, judged. The output of every way to execute a case.
struct Attempt {
  Judgement judgement;
  std::optional<gpu::Answer> answer = {};  // of the first run; none if in pieces, or not answered
  std::string workerStderr = {};
  double seconds = 0;
};

inline const Case& caseOf(const Item& item) { return *item.prepared.testCase; }

// Sums up where the time of a lane goes, in seconds.
struct TimeSpent {
  double preparing = 0;  // inputs, expected outputs and poison
  double waiting = 0;    // for the worker's answers
  double judging = 0;

  TimeSpent& operator+=(const TimeSpent& other);
};

// Sends batches to a worker and receives the answers.
class Exchange {
 public:
  // Both must outlive this.
  Exchange(const LaneOptions& options, KeptWorker& worker) : options_(options), worker_(worker) {}

  // Returns the verdict of a case that is not sent, or nothing.
  std::optional<Judgement> whyNotSent(const Case& testCase) const;

  // True if nothing else may be in flight with the case: it takes several messages.
  bool goesAlone(const Case& testCase) const;

  // Makes what is to be sent, unless the case is sent in pieces.
  void prepareItem(Item& item, const Case& testCase);

  // Makes new poison, for another attempt.
  void prepareAgain(Item& item);

  // Queues a batch and returns at once.
  void send(Batch& batch);

  // Receives the answers to the oldest batch, or returns the failure that prevented them.
  std::optional<WorkerFailure> receive(Batch& batch, std::vector<gpu::Answer>& answers);

  // Runs a batch with nothing else in flight, with new poison. A lost worker is replaced, unless
  // too many are lost.
  std::optional<WorkerFailure> runOnce(Batch& batch, std::vector<gpu::Answer>& answers);

  // Judges the answers to an item.
  Attempt judge(const Item& item, std::span<gpu::Answer> answers);

  const TimeSpent& spent() const { return spent_; }

 private:
  // Returns the first capability that the case needs and the worker lacks, or "".
  std::string unknown(const Case& testCase) const;
  bool goesInPieces(const Case& testCase) const;
  bool isOften(const Case& testCase) const;  // in mode endurance
  bool passes(const Item& item, std::span<const gpu::Answer> answers);
  std::optional<WorkerFailure> runInPieces(Item& item);

  const LaneOptions& options_;
  KeptWorker& worker_;
  uint64_t nextId_ = 1;
  TimeSpent spent_;
};

}  // namespace dmlcts

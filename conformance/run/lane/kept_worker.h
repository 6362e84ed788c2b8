#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/lane/lane_options.h"

namespace dmlcts {

// A worker could not be started. The text contains its message.
class WorkerStartError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Another worker of the same command is another target.
class AnotherTarget : public WorkerStartError {
 public:
  using WorkerStartError::WorkerStartError;
};

// Throws for a worker that did not say hello; `words` is its stderr. std::invalid_argument if its
// options ask for something it lacks, else WorkerStartError.
[[noreturn]] void throwNotStarted(const gpu::Failure& failure, const std::string& words);

// Thrown when workers keep writing text to standard output, where only frames belong.
class WorkersWriteText : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Thrown when LaneOptions::mostLost workers were lost in a row or between cases.
class WorkersLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The failure that kept a batch from being answered.
struct WorkerFailure {
  Judgement judgement;  // what a verdict would say
  std::string workerStderr;
  bool unrelated = false;  // no case of the batch caused it
};

// The requests that a process got: what it answered depends on nothing else.
struct ProcessHistory {
  uint64_t number = 0;        // of the process, from 1 in the session
  uint64_t requests = 0;      // sent so far
  std::vector<size_t> cases;  // places in the schedule of the cases sent, in order
};

// Names the process that got a case, and the request in it.
struct Sent {
  std::shared_ptr<const ProcessHistory> process;
  uint64_t request = 0;  // from 1
  size_t before = 0;     // cases of ProcessHistory::cases
};

// A worker process that is replaced when it is lost, and what is known of it.
class KeptWorker {
 public:
  // Starts the worker and returns at once.
  explicit KeptWorker(const LaneOptions& options);

  // Waits for the worker's hello. Throws WorkerStartError, or WrongTarget if LaneOptions::required
  // does not match.
  const gpu::Identity& identity();

  // True if its hello names the capability.
  bool has(std::string_view capability) const;

  gpu::Worker* operator->() { return &*worker_; }
  gpu::Worker& operator*() { return *worker_; }

  // Starts another worker where it is gone. Throws WorkerStartError.
  void revive();
  // Starts another worker. Throws WorkerStartError.
  void replace();

  // Counts requests that are sent. `place`: of their case in the schedule, if it has one.
  Sent count(uint64_t requests, std::optional<size_t> place);

  // Counts a lost worker, and says what a verdict would. Throws WorkersWriteText after three
  // workers that wrote text.
  WorkerFailure lose(const gpu::Failure& failure);
  // Ends a worker whose device is removed, which it stays for this process.
  WorkerFailure loseDevice(const Judgement& removed);
  void answered() { inARow_ = unrelatedDeaths_ = 0; }
  void forgiveLosses() { inARow_ = 0; }  // workers that were lost deliberately do not count
  bool tooManyLost() const;
  uint32_t lost() const;  // in a row or between cases, whichever is more

  // Journals a failure outside any case.
  void report(const char* when, const WorkerFailure& failure) const;

  // True once the run is cancelled.
  bool cancelled() const { return options_.cancel && *options_.cancel; }

  // Tells the worker to exit and checks how it ends. Nothing can be sent afterwards.
  void finish();

 private:
  void start();
  void greet();

  const LaneOptions& options_;
  std::optional<gpu::Worker> worker_;
  std::optional<gpu::Identity> identity_;
  std::vector<std::string> capabilities_;
  std::shared_ptr<ProcessHistory> history_;
  uint32_t inARow_ = 0;           // workers lost
  uint32_t betweenCases_ = 0;     // workers that died between cases
  uint32_t unrelatedDeaths_ = 0;  // in a row
};

// Returns what a verdict says of a worker that failed.
Judgement judgementOf(const gpu::Failure& failure);

}  // namespace dmlcts

#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/judge.h"
#include "conformance/plan.h"
#include "gpu/worker/client.h"

namespace dmlcts {

struct LaneOptions {
  gpu::WorkerCommand command;
  std::chrono::milliseconds startTimeout{60000};
  std::chrono::milliseconds timeout{60000};  // for a case, once it is alone
  uint32_t repeat = 1;
};

// How a case ended, with what a failure bundle needs. References live during the call only.
struct CaseOutcome {
  size_t index;  // in the plan
  const PreparedCase& prepared;
  Judgement judgement;
  const gpu::Answer* answer;          // of the first run; null when there was none
  std::vector<std::string> attempts;  // when it took more than one, what came of each
  std::string workerStderr;           // kept for verdicts other than Pass
  double seconds;
};

// A worker could not be started, or not replaced; the text holds its own words.
class WorkerStartError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One worker process and the cases it is given: keeps two batches in flight, holds answers
// against the oracle, and replaces the worker whenever it crashes, hangs, talks nonsense or loses
// its device. The cases of a batch in which that happens are run again one by one, so that a mishap
// costs the verdict of its own case only; both outcomes are recorded.
class Lane {
 public:
  using Next = std::function<std::optional<size_t>()>;  // the next case to run, if any
  using Sink = std::function<void(const CaseOutcome& outcome)>;

  // Starts the worker without waiting for it. The thread that makes a lane must outlive it.
  explicit Lane(LaneOptions options);

  // Waits for the worker's hello. Throws WorkerStartError.
  const gpu::Identity& identity();

  // Runs cases until there are none, or `stop`. Throws WorkerStartError.
  void run(const std::vector<PlannedCase>& cases, const Next& next, const Sink& sink);

  // Called by a sink: the verdict that it was told is the last one of this run, also of those
  // cases that are already with the worker.
  void stop() { stopped_ = true; }

  // One case by itself, outside any run. A worker that does not survive it is replaced.
  struct Trial {
    PreparedCase prepared;
    Judgement judgement;
    std::optional<gpu::Answer> answer;  // of the first run
  };
  Trial tryCase(const Case& testCase);

  // Seconds that the bare API takes for these cases one by one; 0 when the target has no such
  // loop or something went wrong.
  double bareSeconds(const std::vector<const Case*>& cases);

 private:
  struct Item {
    size_t index = 0;
    PreparedCase prepared;
  };
  using Batch = std::vector<Item>;

  // What kept a batch from being answered.
  struct Mishap {
    Judgement judgement;     // as a verdict would say it
    bool unrelated = false;  // the worker died before it took the batch up
  };

  void restart();
  Batch assemble(const std::vector<PlannedCase>& cases, const Next& next, const Sink& sink);
  void send(Batch& batch);
  std::optional<Mishap> receive(std::vector<gpu::Answer>& answers);
  void deliver(const Batch& batch, const std::vector<gpu::Answer>& answers, double seconds,
               const std::vector<std::string>& attempts, const Sink& sink);
  std::optional<Mishap> runAlone(Item& item, const std::string& together, bool tell,
                                 bool unexplained, const Sink& sink);
  void investigate(Batch batch, const Mishap& mishap, const Sink& sink);

  LaneOptions options_;
  std::optional<gpu::Worker> worker_;
  std::optional<gpu::Identity> identity_;
  uint64_t nextId_ = 1;
  double secondsPerCase_ = 0.02;  // running estimate, for the size of batches
  int unrelatedDeaths_ = 0;       // in a row
  bool stopped_ = false;
};

}  // namespace dmlcts

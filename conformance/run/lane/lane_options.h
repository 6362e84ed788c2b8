#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "conformance/run/judging/execution_mode.h"
#include "conformance/run/judging/judge.h"
#include "conformance/run/target_identity.h"
#include "gpu/worker/client.h"
#include "reports/journal/journal.h"

namespace dmlcts {

// Worker processes of all lanes of a run.
struct WorkerCounts {
  std::atomic<uint64_t> started = 0;
  std::atomic<uint32_t> withText = 0;  // wrote text to standard output
};

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
  std::shared_ptr<WorkerCounts> workers = std::make_shared<WorkerCounts>();  // shared by copies
};

}  // namespace dmlcts

#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/work.h"
#include "conformance/run/required_target.h"
#include "gpu/worker/client.h"

namespace dmlcts::bench {

struct MeasureOptions {
  gpu::WorkerCommand command;
  RequiredTarget required = {};
  uint32_t repetitions = 20;
  uint64_t copyBytes = uint64_t{256} << 20;
  std::chrono::milliseconds startTimeout{120000};
  std::chrono::milliseconds timeout{600000};  // of one work, transport included
  uint32_t ahead = 1;                         // works made ready while another is measured
};

// The device's own copies, through the same worker and queue.
struct Ceiling {
  uint64_t bytes = 0;          // read plus written
  std::vector<double> kernel;  // nanoseconds; empty where the target cannot copy
  std::vector<double> region;
  std::string missing;  // why there is none

  // Bytes per second of the kernel at its median; 0 without one.
  double bytesPerSecond() const;
};

struct Measurement {
  std::vector<double> nanoseconds;
  uint64_t bytes = 0;                 // see bytesMoved()
  uint64_t elements = 0;              // see elementsOf()
  std::vector<gpu::PassTime> passes;  // empty where the target does not know them
  std::string failure;                // why there are no times; else empty
};

// Measures works on one worker, one after another in their order, while the next ones are made
// ready. Outputs are poisoned, and compared with the reference before any time counts.
class Measurer {
 public:
  // Starts the worker and measures its copies. Throws std::runtime_error, with the worker's
  // message, when it does not start, and WrongTarget.
  Measurer(MeasureOptions options, std::vector<Work> works);
  ~Measurer();

  const gpu::Identity& identity() const { return identity_; }
  const Ceiling& ceiling() const { return ceiling_; }
  const std::vector<Work>& works() const { return works_; }
  uint32_t repetitions() const { return options_.repetitions; }

  // Works must be asked for in ascending order, each at most once. A worker that does not survive
  // one is replaced. Throws when that fails.
  Measurement measure(size_t index);

 private:
  using Ready = std::shared_ptr<PreparedCase>;

  void start();
  void measureCeiling();
  void makeReady(size_t first, size_t end);
  Ready ready(size_t index);
  std::string workerWords(const gpu::Failure& failure);

  MeasureOptions options_;
  std::vector<Work> works_;
  std::optional<gpu::Worker> worker_;
  gpu::Identity identity_;
  Ceiling ceiling_;
  std::deque<std::pair<size_t, std::future<Ready>>> preparing_;
};

}  // namespace dmlcts::bench

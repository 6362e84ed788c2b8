#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/work.h"
#include "conformance/run/target_identity.h"
#include "gpu/worker/client.h"

namespace dmlcts::bench {

// Content of the device's caches when a repetition begins.
enum class Caches : uint8_t {
  BySize,  // Cold if the tensors have under 2 * cacheBytes and the worker can flush; else Hot
  Cold,    // flushed
  Hot,     // left by the previous repetition
};

struct MeasureOptions {
  gpu::WorkerCommand command;
  RequiredTarget required = {};
  uint32_t repetitions = 20;
  uint64_t copyBytes = uint64_t{256} << 20;
  std::chrono::milliseconds startTimeout{120000};
  std::chrono::milliseconds timeout{600000};  // per benchmark, transport included
  Caches caches = Caches::BySize;
  uint64_t cacheBytes = uint64_t{128} << 20;  // exceeds the caches; a multiple of 16
  const std::atomic<bool>* cancel = nullptr;  // once set, no call waits for the worker
};

// Returns the benchmark's name when caches are not flushed: adds "/hot" if they may hold some of
// its tensors.
std::string hotName(const Work& work, const MeasureOptions& options);

// The device's own copies, through the same worker and queue.
struct Ceiling {
  uint64_t bytes = 0;          // read plus written
  std::vector<double> kernel;  // nanoseconds; empty if the target cannot copy
  std::vector<double> region;
  std::vector<double> dispatch;  // nanoseconds of an empty one; empty if unknown
  std::string missing;           // reason for the absence of times

  // Returns the bytes per second of the faster one, from its median; 0 without times.
  double bytesPerSecond() const;
};

// Seconds of wall clock.
struct Spent {
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  double start = 0;      // and measuring copies
  double inputs = 0;     // waiting for inputs and expected outputs
  double sending = 0;    // encoding included
  double worker = 0;     // from the last byte sent to the first received
  double receiving = 0;  // decoding included
  double comparing = 0;  // waiting for the comparison
};

struct Measurement {
  std::vector<double> nanoseconds;
  uint64_t bytes = 0;                 // see bytesMoved()
  uint64_t elements = 0;              // see elementsOf()
  std::vector<gpu::PassTime> passes;  // empty if the target does not report them
  std::string failure;                // reason for the absence of times; else empty
  bool withoutDenormals = false;      // measured with denormals replaced: see below
  bool cancelled = false;             // nobody waited for the times
};

// Measures benchmarks in order on one worker. Meanwhile prepares the next ones on all cores but
// two, as far as memory allows, and compares the last one's poisoned outputs with the reference: no
// time counts before. If only FLOAT32 denormals are wrong, measures again with normal numbers in
// their place: no document forbids flushing them to zero.
class Measurer {
 public:
  // Starts the worker and measures its copies. Adds "/hot" to benchmarks whose tensors caches may
  // hold. Throws std::runtime_error, with the worker's message, if it does not start or cannot
  // flush caches for Caches::Cold. Throws WrongTarget too.
  Measurer(MeasureOptions options, std::vector<Work> works);
  ~Measurer();

  const gpu::Identity& identity() const { return identity_; }
  const Ceiling& ceiling() const { return ceiling_; }
  const std::vector<Work>& works() const { return works_; }
  const Spent& spent() const { return spent_; }
  uint32_t repetitions() const { return options_.repetitions; }
  uint64_t evictedMiB() const;  // per repetition of a cold benchmark; 0 if none is cold
  bool cancelled() const { return options_.cancel && *options_.cancel; }

  // Call it in ascending order. Take the result after the next call: outputs are compared
  // meanwhile. Replaces a worker that dies; throws if that fails.
  std::future<Measurement> measure(size_t index);

 private:
  struct ReadyWork {
    PreparedCase prepared;
    gpu::Bytes order;  // of its only request, encoded
  };
  using Ready = std::shared_ptr<ReadyWork>;

  void start();
  void chooseCaches();
  void measureCeiling();
  gpu::Bytes orderOf(const PreparedCase& prepared, size_t index) const;
  std::optional<gpu::Timing> time(const PreparedCase& prepared, gpu::Bytes order,
                                  Measurement& result);
  void makeReady(size_t first, size_t index);
  Ready ready(size_t index);
  std::string workerWords(const gpu::Failure& failure);

  MeasureOptions options_;
  std::vector<Work> works_;
  std::vector<bool> cold_;  // of works_
  bool evicts_ = false;     // the worker supports gpu::kEvict
  std::optional<gpu::Worker> worker_;
  gpu::Identity identity_;
  Ceiling ceiling_;
  Spent spent_;
  uint64_t memory_;  // bytes that prepared benchmarks may take
  std::deque<std::pair<size_t, std::future<Ready>>> preparing_;
};

}  // namespace dmlcts::bench

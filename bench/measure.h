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

// What the device's caches hold of a work when a repetition begins.
enum class Caches : uint8_t {
  BySize,  // nothing, where the work's tensors would fit the caches twice over; else what is left
  Cold,    // nothing
  Hot,     // what the repetition before left
};

struct MeasureOptions {
  gpu::WorkerCommand command;
  RequiredTarget required = {};
  uint32_t repetitions = 20;
  uint64_t copyBytes = uint64_t{256} << 20;
  std::chrono::milliseconds startTimeout{120000};
  std::chrono::milliseconds timeout{600000};  // of one work, transport included
  uint32_t ahead = 1;                         // works made ready while another is measured
  Caches caches = Caches::BySize;
  uint64_t cacheBytes = uint64_t{128} << 20;  // more than caches hold; a multiple of 16
};

// The work's name where caches are not emptied before it: with "/hot" behind it if they may hold
// something of it.
std::string hotName(const Work& work, const MeasureOptions& options);

// The device's own copies, through the same worker and queue.
struct Ceiling {
  uint64_t bytes = 0;          // read plus written
  std::vector<double> kernel;  // nanoseconds; empty where the target cannot copy
  std::vector<double> region;
  std::vector<double> passes;  // nanoseconds of three passes that move nothing; empty if unknown
  std::string missing;         // why there is none

  // Bytes per second of the kernel at its median; 0 without one.
  double bytesPerSecond() const;
};

struct Measurement {
  std::vector<double> nanoseconds;
  uint64_t bytes = 0;                 // see bytesMoved()
  uint64_t elements = 0;              // see elementsOf()
  std::vector<gpu::PassTime> passes;  // empty where the target does not know them
  std::string failure;                // why there are no times; else empty
  bool withoutDenormals = false;      // measured with normal numbers in their place: see below
};

// Measures works on one worker, one after another in their order, while the next ones are made
// ready. Outputs are poisoned, and compared with the reference before any time counts. A target
// that is right but for FLOAT32 denormals, which no document says it must not take for zero, is
// measured with normal numbers in their place.
class Measurer {
 public:
  // Starts the worker and measures its copies. Works of which caches may hold something get "/hot"
  // behind their names. Throws std::runtime_error, with the worker's message, when it does
  // not start, where Caches::Cold is asked of one that cannot, and WrongTarget.
  Measurer(MeasureOptions options, std::vector<Work> works);
  ~Measurer();

  const gpu::Identity& identity() const { return identity_; }
  const Ceiling& ceiling() const { return ceiling_; }
  const std::vector<Work>& works() const { return works_; }
  uint32_t repetitions() const { return options_.repetitions; }
  uint64_t evictedMiB() const;  // before a repetition of what is cold; 0 where nothing is

  // Works must be asked for in ascending order, each at most once. A worker that does not survive
  // one is replaced. Throws when that fails.
  Measurement measure(size_t index);

 private:
  using Ready = std::shared_ptr<PreparedCase>;

  void start();
  void chooseCaches();
  void measureCeiling();
  void time(const PreparedCase& prepared, bool cold, Measurement& result);
  void makeReady(size_t first, size_t end);
  Ready ready(size_t index);
  std::string workerWords(const gpu::Failure& failure);

  MeasureOptions options_;
  std::vector<Work> works_;
  std::vector<bool> cold_;  // of works_
  bool evicts_ = false;     // the worker knows gpu::kEvict
  std::optional<gpu::Worker> worker_;
  gpu::Identity identity_;
  Ceiling ceiling_;
  std::deque<std::pair<size_t, std::future<Ready>>> preparing_;
};

}  // namespace dmlcts::bench

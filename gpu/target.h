#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/modes.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// The interface of every implementation under test. In goes a batch of requests (a descriptor with
// whole buffers), out comes one answer each: accepted or not, and the buffers afterwards. The
// worker (worker/serve.h) calls it for each message, tests call it directly.
//
//   const auto target = makeD3D12Target({});
//   const std::vector<Answer> answers = target->run(prepared.requests);
//
// run() executes in the ordinary mode and in execution modes; runProgram() makes single calls.

namespace dmlcts::gpu {

// A target's identity, copied unchanged into journals and reports. Empty means unknown.
struct Identity {
  std::string target;          // "d3d12", "directml", "reference", "mutant:NAME"
  std::string adapter;         // the driver's name for it
  uint32_t vendorId = 0;       // PCI
  uint32_t deviceId = 0;       // PCI
  std::string driver;          // name and version
  std::string runtime;         // provider of D3D12, with version: "libvkd3d 1.2"
  std::string implementation;  // version of the operators under test
  std::string shaderModel;     // of our kernels' bytecode: "5.1" (DXBC) or "6.0" (DXIL)
  Level maxLevel = Level::L6_4;
  std::map<std::string, std::string> limits;  // further facts, by name
  // SHA-256, in lower-case hex, by file name; of the implementation, the runtime and the driver.
  std::map<std::string, std::string> files;

  bool operator==(const Identity&) const = default;
};

// A buffer to bind: `bytes` is the whole buffer, the tensor lies at [offset, offset + size),
// everything else is a guard band. `offset` is a multiple of 16.
struct BufferImage {
  std::vector<uint8_t> bytes;
  uint64_t offset = 0;
  uint64_t size = 0;  // TotalTensorSizeInBytes

  bool operator==(const BufferImage&) const = default;
};

// One case for a target, with images in slot order (dmlcts::tensors). No images if `execute` is
// false.
struct Request {
  uint64_t id = 0;
  Level level = Level::L6_4;
  Descriptor descriptor;
  bool execute = true;  // false: create only
  std::vector<BufferImage> inputs;
  std::vector<BufferImage> outputs;
  Modes modes = {};  // of those that the target takes
};

enum class Status : uint8_t {
  Rejected,       // creation failed with `hresult`; nothing was executed
  Created,        // accepted; no execution requested
  Executed,       // `inputs` and `outputs` hold the memory's final content
  NotSupported,   // `message` names the query that reported it
  DeviceRemoved,  // `message` holds the device-removed reason
  Failed,         // another call failed with `hresult`; `message` names the call
};

// Whole buffers after an execution, guards included, in slot order.
struct Execution {
  std::vector<std::vector<uint8_t>> outputs;
  std::vector<std::vector<uint8_t>> inputs;

  bool operator==(const Execution&) const = default;
};

// Tells what became of a request. The buffers are those after its first execution.
struct Answer : Execution {
  uint64_t id = 0;
  Status status = Status::Failed;
  int32_t hresult = 0;
  std::string message;
  Modes modes = {};                  // execution modes used
  std::vector<Execution> more = {};  // executions after the first, in modes with several
};

// Time of one pass of a request.
struct PassTime {
  std::string name;
  double nanoseconds = 0;  // median

  bool operator==(const PassTime&) const = default;
};

// Execution times of one request: dispatches only, no upload or read-back.
struct Timing {
  Status status = Status::Failed;
  std::string message;
  std::vector<double> nanoseconds;            // one per repetition, from GPU timestamps
  std::vector<std::vector<uint8_t>> outputs;  // as in Answer, of an earlier execution
  std::vector<PassTime> passes;  // of further repetitions, timed per pass; empty if unknown
};

// Times of copies between two buffers of the device, on the queue that times requests.
struct CopyTiming {
  Status status = Status::Failed;
  std::string message;
  std::vector<double> kernel;    // nanoseconds of a kernel copying 16-byte texels
  std::vector<double> region;    // nanoseconds of CopyBufferRegion
  std::vector<double> dispatch;  // nanoseconds of an empty one, caches flushed; empty if unknown
};

struct Program;  // program.h

class Target {
 public:
  virtual ~Target() = default;

  virtual Identity identity() = 0;

  // Returns one answer per request, in order. Never throws for an invalid descriptor, which is
  // Rejected. Throws std::runtime_error if the target itself is unusable.
  virtual std::vector<Answer> run(std::span<const Request> requests) = 0;

  // Executes one request and takes its outputs; then executes it until the device has settled, and
  // `repetitions` more times. Before each of those, untimed, copies `evict` bytes (a multiple of
  // 16) between two buffers of the device to flush its caches.
  virtual Timing time(const Request& request, uint32_t repetitions, uint64_t evict) = 0;

  // Copies `bytes`, a multiple of 16, `repetitions` times by each method, after a warm-up. The
  // ceiling for this device's kernels.
  virtual CopyTiming timeCopy(uint64_t bytes, uint32_t repetitions);

  // True if requests may have the mode; `hello` names it then.
  virtual bool takes(Mode) const { return false; }

  // Makes the calls in order: program.h. Nothing if only run() executes: then serve() makes them in
  // the worker's memory (worker/memory_program.h).
  virtual std::optional<Answer> runProgram(const Program&) { return std::nullopt; }

  // Returns the seconds that the bare API needs for these requests: one by one recorded, submitted,
  // waited for and read back, with objects and inputs in place. Measures the harness's overhead by
  // comparison. 0 if the target has no such loop.
  virtual double bareSeconds(std::span<const Request> requests) = 0;
};

inline CopyTiming Target::timeCopy(uint64_t, uint32_t) {
  return {Status::NotSupported, "the target has no device memory to copy in", {}, {}, {}};
}

}  // namespace dmlcts::gpu

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gpu/modes.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// What every implementation under test looks like to the worker that hosts it.

namespace dmlcts::gpu {

// Who a target is; goes unchanged into journals and reports. Empty means unknown.
struct Identity {
  std::string target;          // "d3d12", "directml", "reference", "mutant:NAME"
  std::string adapter;         // as the driver names it
  uint32_t vendorId = 0;       // PCI
  uint32_t deviceId = 0;       // PCI
  std::string driver;          // name and version
  std::string runtime;         // what provides D3D12, with version: "libvkd3d 1.2"
  std::string implementation;  // version of the operators under test
  std::string shaderModel;     // of our kernels' bytecode: "5.1" (DXBC) or "6.0" (DXIL)
  std::string kernelVariant;   // of our kernels: gpu/shaders/variants.h; "" as they are shipped
  Level maxLevel = Level::L6_4;
  std::map<std::string, std::string> limits;  // further facts, by name
  // Of the implementation, the runtime and the driver: SHA-256, in lower-case hex, by file name.
  std::map<std::string, std::string> files;

  bool operator==(const Identity&) const = default;
};

// A buffer as the target must bind it: `bytes` is the whole buffer, the tensor lies at
// [offset, offset + size), everything else is a guard band. `offset` is a multiple of 16.
struct BufferImage {
  std::vector<uint8_t> bytes;
  uint64_t offset = 0;
  uint64_t size = 0;  // TotalTensorSizeInBytes

  bool operator==(const BufferImage&) const = default;
};

// One case for a target. Images in slot order (dmlcts::tensors); none when `execute` is false.
struct Request {
  uint64_t id = 0;
  Level level = Level::L6_4;
  Descriptor descriptor;
  bool execute = true;  // false: create only
  std::vector<BufferImage> inputs;
  std::vector<BufferImage> outputs;
  Modes modes = {};  // how to execute it; a target that cannot answers NotSupported
};

enum class Status : uint8_t {
  Rejected,       // creation failed with `hresult`; nothing was executed
  Created,        // accepted; execution was not asked for
  Executed,       // accepted and executed; `inputs` and `outputs` are what memory holds now
  NotSupported,   // the target says which query told it so, in `message`
  DeviceRemoved,  // `message` holds the device-removed reason
  Failed,         // another call failed with `hresult`; `message` names the call
};

// Whole buffers after an execution, guards included, in slot order.
struct Execution {
  std::vector<std::vector<uint8_t>> outputs;
  std::vector<std::vector<uint8_t>> inputs;

  bool operator==(const Execution&) const = default;
};

struct Answer {
  uint64_t id = 0;
  Status status = Status::Failed;
  int32_t hresult = 0;
  std::string message;
  std::vector<std::vector<uint8_t>> outputs;  // whole buffers, guards included, in slot order
  std::vector<std::vector<uint8_t>> inputs;   // the same for inputs
  Modes modes = {};                           // how it was executed
  std::vector<Execution> more = {};  // after the first, of modes that execute it more often
};

// Execution times of one request, dispatches only, no upload or read-back.
struct PassTime {
  std::string name;
  double nanoseconds = 0;  // median

  bool operator==(const PassTime&) const = default;
};

struct Timing {
  Status status = Status::Failed;
  std::string message;
  std::vector<double> nanoseconds;            // one per repetition, from GPU timestamps
  std::vector<std::vector<uint8_t>> outputs;  // as in Answer, of an execution before those
  std::vector<PassTime> passes;  // of further repetitions, timed pass by pass; empty if unknown
};

// Times of copying bytes from one buffer of the device to another, on the queue that requests are
// timed on.
struct CopyTiming {
  Status status = Status::Failed;
  std::string message;
  std::vector<double> kernel;  // nanoseconds of a kernel that copies 16-byte texels
  std::vector<double> region;  // the same of the API's own CopyBufferRegion
  std::vector<double> passes;  // of three passes in turn that move nothing; empty if unknown
};

struct Sequence;         // sequence.h
struct MisusedOperator;  // misuse.h
class InPieces;

class Target {
 public:
  virtual ~Target() = default;

  virtual Identity identity() = 0;

  // Answers in the order of the requests, one each. Never throws for what a descriptor says: that
  // is Rejected. Throws std::runtime_error when the target itself is beyond use.
  virtual std::vector<Answer> run(std::span<const Request> requests) = 0;

  // Executes one request, takes its outputs, then executes it until the device has settled, and
  // `repetitions` times more. Before each of those, untimed, copies `evict` bytes, a multiple of
  // 16, from one buffer of the device to another, so that its caches hold nothing of the request.
  virtual Timing time(const Request& request, uint32_t repetitions, uint64_t evict) = 0;

  // Copies `bytes`, a multiple of 16, `repetitions` times in each way, after a warm-up: the ceiling
  // that this device's kernels can be compared with.
  virtual CopyTiming timeCopy(uint64_t bytes, uint32_t repetitions);

  // Makes the calls one after another: sequence.h.
  virtual Answer runSequence(const Sequence& sequence);

  // Uses the operator wrong (misuse.h): Created where no call failed and the device is still there
  // once all is executed; DeviceRemoved, with the call that removed it in `message` and what
  // creating an operator returned afterwards as `hresult`; or Failed. What the tensors hold then is
  // nobody's business. The target is beyond use afterwards.
  virtual Answer misuse(const MisusedOperator& misused);

  // Seconds that the bare API needs for these requests one by one, each recorded, submitted,
  // waited for and its outputs read, with objects and inputs already in place: the yardstick for
  // the harness's own overhead. 0 when the target has no such loop.
  virtual double bareSeconds(std::span<const Request> requests) = 0;

  // For requests larger than a host's memory (in_pieces.h); null where only run() executes. Lives
  // as long as the target.
  virtual InPieces* inPieces() { return nullptr; }
};

inline Answer Target::runSequence(const Sequence&) {
  Answer answer;
  answer.status = Status::NotSupported;
  answer.message = "the target takes no sequences of calls";
  return answer;
}

inline Answer Target::misuse(const MisusedOperator&) {
  Answer answer;
  answer.status = Status::NotSupported;
  answer.message = "the target has no binding tables";
  return answer;
}

inline CopyTiming Target::timeCopy(uint64_t, uint32_t) {
  return {Status::NotSupported, "the target has no device memory to copy in", {}, {}, {}};
}

}  // namespace dmlcts::gpu

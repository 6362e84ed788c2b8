#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "gpu/misuse.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// A program of DirectML and Direct3D 12 calls over numbered operators, binding tables, buffers and
// two queues. fuzz/README.md defines valid ones. May come in several messages.

namespace dmlcts::gpu {

inline constexpr uint32_t kMostOperators = 16;  // at a time; as many tables and buffers
inline constexpr uint32_t kQueues = 2;          // 0: direct, 1: compute
inline constexpr size_t kMostCalls = 1024;
inline constexpr uint64_t kMostMemory = uint64_t{1} << 30;    // bytes of a `memory` call
inline constexpr uint64_t kMostBuffer = uint64_t{1} << 36;    // the largest tensor has 2^35
inline constexpr uint64_t kMostTransfer = uint64_t{1} << 28;  // bytes of a `put` or `get`

enum class CallKind : uint8_t {
  Create,      // operator `object`, as `asked`
  Compile,     // operator `object`
  Initialize,  // `operators` by one initializer; the host waits for it
  Release,     // operator `object`, compiled or not
  Bind,        // creates table `object` for operator `operators[0]`, inputs `from`, outputs `to`
  Rebind,      // rebinds inputs, outputs or both of table `object`, in the same descriptors
  Reset,       // like Bind for an existing table, in new descriptors
  Execute,     // records an execution of table `object`
  Copy,        // records a copy of `bytes` bytes of `from` to `to`, with transitions
  Barrier,     // records a barrier between earlier and later executions in the queue
  Submit,      // closes and submits the queue's list
  Wait,        // Submit, then the host waits for everything submitted to the queue
  Memory,      // holds `bytes` of GPU memory from now on; 0 frees it
  Buffer,      // creates buffer `object` of `bytes` bytes with arbitrary content
  Put,         // writes `data` to `to`; nothing may be using the buffer
  Get,         // waits for everything, then reads `bytes` bytes of `from`
  // In programs of execution modes only:
  Heap,      // creates a heap of `bytes` bytes; each Buffer with a place `to` lies in the last one
  Resubmit,  // submits the list again that was submitted to the queue before the last
};
// The calls of a program's text, by CallKind, and the transfers that it implies.
inline constexpr std::array<std::string_view, 13> kCallNames{
    "create",  "compile", "initialize", "release", "bind", "rebind", "reset",
    "execute", "copy",    "barrier",    "submit",  "wait", "memory"};
inline constexpr std::array<std::string_view, 3> kTransferNames{"buffer", "put", "get"};
constexpr std::string_view name(CallKind kind) {
  const auto i = static_cast<size_t>(kind);
  return i < kCallNames.size() ? kCallNames[i] : kTransferNames[i - kCallNames.size()];
}

// The start of a tensor (of TotalTensorSizeInBytes) or of copied bytes in a buffer.
struct Place {
  uint32_t buffer = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;  // of the bound range, in programs of execution modes; 0: the tensor's

  bool operator==(const Place&) const = default;
};

struct AskedOperator {
  Level level = Level::L6_4;
  Descriptor descriptor;

  bool operator==(const AskedOperator&) const = default;
};

struct SequenceCall {
  CallKind kind = CallKind::Barrier;
  uint32_t object = 0;
  uint32_t queue = 0;
  uint64_t bytes = 0;
  std::vector<uint32_t> operators = {};
  std::vector<Place> from = {};
  std::vector<Place> to = {};
  std::optional<AskedOperator> asked = {};
  std::optional<Misuse> misuse = {};  // of a bind that is made wrongly; see misusedCall()
  std::vector<uint8_t> data = {};
  std::optional<Place> temporary = {};  // of a Bind in an execution mode

  bool operator==(const SequenceCall&) const = default;
};

// Calls with documented results; a target need not check for others. The answer is Executed with
// the bytes of each Get as outputs, or the result of the first failed call, whose number (from 0)
// is `id`. A failure ends the program. Otherwise `continues` keeps everything for the next message;
// without it all queues are submitted and waited for, and everything is freed.
struct Sequence {
  std::vector<SequenceCall> calls;
  bool continues = false;
};

// Returns the call of a program that misuses an operator (misuse.h), or null. Such a program
// creates, compiles, initializes, binds and executes one operator, whose buffers the target makes.
// The answer is Executed if no call failed and the device survived. DeviceRemoved: `message` names
// the call; `hresult` is the result of creating an operator afterwards. The target is unusable
// afterwards.
inline const SequenceCall* misusedCall(const Sequence& program) {
  for (const SequenceCall& call : program.calls) {
    if (call.misuse) return &call;
  }
  return nullptr;
}

}  // namespace dmlcts::gpu

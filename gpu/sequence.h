#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/descriptor.h"
#include "reference/level.h"

// A program of the calls that an application makes of DirectML and Direct3D 12, over numbered
// operators, binding tables, buffers and two queues. docs/sequences.md says what is a valid one.

namespace dmlcts::gpu {

inline constexpr uint32_t kMostOperators = 16;  // alive at a time; as many tables and buffers
inline constexpr uint32_t kQueues = 2;          // 0: direct, 1: compute
inline constexpr size_t kMostCalls = 1024;
inline constexpr uint64_t kMostMemory = uint64_t{1} << 30;  // of a call `memory`, in bytes

enum class CallKind : uint8_t {
  Create,      // operator `object`, as `asked`
  Compile,     // operator `object`
  Initialize,  // `operators` by one initializer; the host waits for it
  Release,     // operator `object`, compiled or not
  Bind,     // makes table `object` for operator `operators[0]`, inputs at `from`, outputs at `to`
  Rebind,   // binds table `object` anew in the same descriptors: inputs, outputs or both
  Reset,    // the same as Bind for a table that there is, in fresh descriptors
  Execute,  // records the execution of table `object`
  Copy,     // records that `bytes` of `from` are copied to `to`, and the transitions of both
  Barrier,  // records that executions behind it wait for those before it in the queue
  Submit,   // closes the queue's list and has it executed
  Wait,     // Submit, and the host waits for all that was submitted to the queue
  Memory,   // from now on `bytes` of GPU memory are held for nothing, 0 for none
};
// By CallKind.
inline constexpr std::array<std::string_view, 13> kCallNames{
    "create",  "compile", "initialize", "release", "bind", "rebind", "reset",
    "execute", "copy",    "barrier",    "submit",  "wait", "memory"};
constexpr std::string_view name(CallKind kind) { return kCallNames[static_cast<size_t>(kind)]; }

// Where in a buffer a tensor begins, which is as long as its TotalTensorSizeInBytes, or bytes that
// are copied.
struct Place {
  uint32_t buffer = 0;
  uint64_t offset = 0;

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

  bool operator==(const SequenceCall&) const = default;
};

// Calls that the documents define; what they leave open, a target need not look for. After the last
// one all queues are submitted and waited for. The answer is Executed, and its outputs are the
// buffers; or it is what the first call that failed gave, whose number, from 0, is `id`.
struct Sequence {
  std::vector<std::vector<uint8_t>> buffers;  // what they hold at first
  std::vector<SequenceCall> calls;
};

}  // namespace dmlcts::gpu

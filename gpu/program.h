#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/descriptor.h"
#include "reference/level.h"

// A program: calls that execute one operator, over numbered buffers, binding tables and queues. In
// go calls, out comes one answer with the bytes that they read. An execution mode (mode_program.h)
// makes one of a request, a batch (d3d12/batch.h) one of many; a case too large for one message
// (in_pieces.h) sends one in several.
//
//   Program program{{call::Create{level, descriptor}, call::Buffer{0, bytes}, …, call::Bind{…},
//                    call::Put{…}, call::Execute{}, call::Get{…}}};
//   const Answer answer = *target.runProgram(program);

namespace dmlcts::gpu {

inline constexpr uint32_t kMostBuffers = 16;  // of a program that comes in messages
inline constexpr uint32_t kQueues = 4;        // even: direct, odd: compute
inline constexpr size_t kMostCalls = 1024;
inline constexpr uint64_t kMostBuffer = uint64_t{1} << 36;    // the largest tensor has 2^35
inline constexpr uint64_t kMostTransfer = uint64_t{1} << 28;  // bytes of a Put or Get

// Returns the room that bytes take where they are staged. One copy serves transfers that lie in
// their buffer at the same distances.
constexpr uint64_t stagedBytes(uint64_t bytes) { return (bytes + 255) / 256 * 256; }

// The start of a tensor (of TotalTensorSizeInBytes) or of copied bytes in a buffer.
struct Place {
  uint32_t buffer = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;  // of the bound range, in execution modes; 0: the tensor's

  bool operator==(const Place&) const = default;
};

namespace call {

// Creates, compiles and initializes the operator.
struct Create {
  static constexpr std::string_view name = "create";
  Level level = Level::L6_4;
  Descriptor descriptor;

  bool operator==(const Create&) const = default;
};

// Creates a buffer with arbitrary content.
struct Buffer {
  static constexpr std::string_view name = "buffer";
  uint32_t buffer = 0;
  uint64_t bytes = 0;
  std::optional<uint64_t> inHeap = {};  // its offset in the last Heap, if it lies in one

  bool operator==(const Buffer&) const = default;
};

// Creates a table for the operator, with tensors in slot order.
struct Bind {
  static constexpr std::string_view name = "bind";
  uint32_t table = 0;
  std::vector<Place> inputs = {};
  std::vector<Place> outputs = {};
  std::optional<Place> temporary = {};  // if the table has none of its own

  bool operator==(const Bind&) const = default;
};

// Writes to a buffer that nothing may be using.
struct Put {
  static constexpr std::string_view name = "put";
  Place to = {};
  std::vector<uint8_t> data = {};
  // A program that comes in no message can lend its data, and may have arbitrary bytes written
  // behind the data, up to `room` bytes in all.
  std::span<const uint8_t> lent = {};
  uint64_t room = 0;

  std::span<const uint8_t> bytes() const { return data.empty() ? lent : data; }
  bool operator==(const Put& other) const {
    return to == other.to && room == other.room && std::ranges::equal(bytes(), other.bytes());
  }
};

// Records an execution of a table, for which later calls wait.
struct Execute {
  static constexpr std::string_view name = "execute";
  uint32_t table = 0;
  uint32_t queue = 0;

  bool operator==(const Execute&) const = default;
};

// Submits the queue's open list, then waits for everything submitted to the queue.
struct Wait {
  static constexpr std::string_view name = "wait";
  uint32_t queue = 0;

  bool operator==(const Wait&) const = default;
};

// Waits for everything, then reads.
struct Get {
  static constexpr std::string_view name = "get";
  Place from = {};
  uint64_t bytes = 0;

  bool operator==(const Get&) const = default;
};

// Calls without a name are for execution modes. They come in no message.

struct Heap {
  uint64_t bytes = 0;

  bool operator==(const Heap&) const = default;
};

// Records a copy, with transitions.
struct Copy {
  Place from = {};
  Place to = {};
  uint64_t bytes = 0;
  uint32_t queue = 0;

  bool operator==(const Copy&) const = default;
};

// Closes and submits the queue's list.
struct Submit {
  uint32_t queue = 0;

  bool operator==(const Submit&) const = default;
};

// Submits the list again that was submitted to the queue before the last.
struct Resubmit {
  uint32_t queue = 0;

  bool operator==(const Resubmit&) const = default;
};

}  // namespace call

using Call =
    std::variant<call::Create, call::Buffer, call::Bind, call::Put, call::Execute, call::Wait,
                 call::Get, call::Heap, call::Copy, call::Submit, call::Resubmit>;

// Calls with documented results; a target need not check for others. The answer is Executed with
// the bytes of each Get as outputs, or the result of the first failed call, whose number (from 0)
// is `id`. A failure ends the program. Otherwise `continues` keeps everything for the next message;
// without it all queues are waited for, and everything is freed.
struct Program {
  std::vector<Call> calls = {};
  bool continues = false;
};

}  // namespace dmlcts::gpu

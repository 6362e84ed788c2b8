#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/program.h"
#include "gpu/target.h"
#include "gpu/wire/path.h"
#include "gpu/wire/program_state.h"

// The messages between harness and worker. gpu/worker/README.md describes the bytes for other
// languages.

namespace dmlcts::gpu {

inline constexpr uint32_t kProtocolVersion = 4;

// Additions to this protocol version; a worker's `hello` lists those it supports. The harness never
// sends a request that needs others.
//   tensor-fields: a tensor's baseOffsetAlignment and flags
//   mode.NAME: a Request's member mode, with that name
//   programs: the message `program`
//   evict: that member of Time
inline constexpr std::string_view kTensorFields = "tensor-fields";
inline constexpr std::string_view kPrograms = "programs";
inline constexpr std::string_view kEvict = "evict";
inline std::string capabilityOf(Mode mode) { return "mode." + std::string(modeInfo(mode).name); }

// Limits of a message's content; anything above is malformed.
inline constexpr size_t kMaxDimensions = 64;                // sizes or strides of a tensor
inline constexpr size_t kMaxSlots = 16;                     // images or buffers of one direction
inline constexpr size_t kMaxBatch = 65536;                  // requests or answers of a message
inline constexpr size_t kMaxPasses = 64;                    // in Timing::passes
inline constexpr size_t kMaxLimits = 256;                   // facts in Identity::limits; also files
inline constexpr uint32_t kMaxRepetitions = 100000;         // of `time`
inline constexpr size_t kMaxExecutions = 16;                // in Answer::more
inline constexpr uint64_t kImageAlignment = 16;             // of BufferImage::offset, in bytes
inline constexpr uint64_t kMaxEvicted = uint64_t{1} << 30;  // bytes
inline constexpr uint64_t kMaxCopied = uint64_t{1} << 34;   // bytes

// Sent by the harness.
struct Run {
  std::vector<Request> requests;
};
struct RunView {  // to encode a Run without a copy
  std::span<const Request> requests;
};
struct Time {
  Request request;
  uint32_t repetitions = 1;  // 1 … kMaxRepetitions
  uint64_t evict = 0;        // a multiple of 16, at most kMaxEvicted
};
struct TimeView {
  const Request& request;
  uint32_t repetitions = 1;
  uint64_t evict = 0;
};
struct Bare {
  std::vector<Request> requests;
};
struct Copy {
  uint64_t bytes = 16;       // a multiple of 16, at most kMaxCopied
  uint32_t repetitions = 1;  // 1 … kMaxRepetitions
};
// A Program is answered with Answers of one element.
struct Bye {};
// A message of the harness: what the worker is to do.
using Order = std::variant<Run, Time, Bare, Copy, Program, Bye>;

// Sent by the worker: Hello once without an order, then one reply to each order except Bye.
struct Hello {
  uint32_t protocol = kProtocolVersion;
  Identity identity;
  std::optional<std::vector<std::string>> capabilities = {};  // the additions that it supports
};
struct Answers {
  std::vector<Answer> answers;
};
struct BareSeconds {
  double seconds = 0;
};
// Replaces any other reply; then the worker exits.
struct ErrorReply {
  enum class Kind : uint8_t {
    Target,    // the target could not be created, or is unusable now
    Options,   // the worker's command line asks for an impossible target
    Protocol,  // the harness's bytes were malformed
  };
  Kind kind = Kind::Target;
  std::string text;  // the worker's message
};
using Reply = std::variant<Hello, Answers, Timing, BareSeconds, CopyTiming, ErrorReply>;

using Bytes = std::vector<uint8_t>;

// Return whole frames, length included. Throw ProtocolError if the content violates the protocol,
// so that nothing is sent that the other side would refuse.
template <class Message>
Bytes encode(const Message& message);
inline Bytes encodeRun(std::span<const Request> requests) { return encode(RunView{requests}); }
inline Bytes encodeTime(const Request& request, uint32_t repetitions, uint64_t evict) {
  return encode(TimeView{request, repetitions, evict});
}
inline Bytes encodeAnswers(std::vector<Answer> answers) {
  return encode(Answers{std::move(answers)});
}

// Decode one message, a frame's payload, and check everything that it says: those who get it trust
// it. Throw ProtocolError for anything malformed. `program` has the earlier messages of a program
// that continues.
Order decodeOrder(std::span<const uint8_t> payload, ProgramState& program);
Reply decodeReply(std::span<const uint8_t> payload);

}  // namespace dmlcts::gpu

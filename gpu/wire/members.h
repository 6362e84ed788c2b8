#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "gpu/wire/path.h"
#include "gpu/wire/protocol.h"

// The members of each protocol message and struct, in one list for the writer (encode.cpp) and the
// reader (decode.cpp). Add new members here only; an operator's are in reference/descriptor.h.

namespace dmlcts::gpu {

template <class Value>
struct Member {
  std::string_view name;
  Value& value;
};
template <class Value>
Member(const char*, Value&) -> Member<Value>;

// A value that is omitted if 0 or empty.
template <class Value>
struct Unless {
  std::string_view name;
  Value& value;
};
template <class Value>
Unless(const char*, Value&) -> Unless<Value>;

// A level that may be newer than the known ones: read as the newest of them.
template <class Value>
struct LevelOrNewer {
  std::string_view name;
  Value& value;
};
template <class Value>
LevelOrNewer(const char*, Value&) -> LevelOrNewer<Value>;

// `Struct` or `const Struct`: one list serves the writer and the reader.
template <class Self, class Struct>
concept Is = std::same_as<std::remove_const_t<Self>, Struct>;

auto visitMembers(Is<TensorDesc> auto& tensor, auto visit) {
  return visit(Member{"type", tensor.type}, Member{"sizes", tensor.sizes},
               Member{"strides", tensor.strides}, Member{"totalBytes", tensor.totalBytes},
               Unless{"baseOffsetAlignment", tensor.baseOffsetAlignment},
               Unless{"flags", tensor.flags});
}

template <class Desc>
Member<Desc> onWire(const TensorMember<Desc>& member) {
  return {member.name, member.desc};
}
template <class Value>
Member<Value> onWire(const CountMember<Value>& member) {
  return {member.name, member.value};
}

template <class Self>
concept IsOperator = requires(Self& op) { Self::members(op, [](const auto&...) {}); };

template <IsOperator Self>
auto visitMembers(Self& op, auto visit) {
  return Self::members(op, [&](const auto&... member) { return visit(onWire(member)...); });
}

auto visitMembers(Is<BufferImage> auto& image, auto visit) {
  return visit(Member{"offset", image.offset}, Member{"size", image.size},
               Member{"bytes", image.bytes});
}

auto visitMembers(Is<Request> auto& request, auto visit) {
  return visit(Member{"id", request.id}, Member{"level", request.level},
               Member{"descriptor", request.descriptor}, Member{"execute", request.execute},
               Member{"inputs", request.inputs}, Member{"outputs", request.outputs},
               Unless{"mode", request.modes});
}

auto visitMembers(Is<Execution> auto& execution, auto visit) {
  return visit(Member{"outputs", execution.outputs}, Member{"inputs", execution.inputs});
}

auto visitMembers(Is<Answer> auto& answer, auto visit) {
  return visit(Member{"id", answer.id}, Member{"status", answer.status},
               Member{"hresult", answer.hresult}, Member{"message", answer.message},
               Member{"outputs", answer.outputs}, Member{"inputs", answer.inputs},
               Unless{"mode", answer.modes}, Unless{"more", answer.more});
}

auto visitMembers(Is<Timing> auto& timing, auto visit) {
  return visit(Member{"status", timing.status}, Member{"message", timing.message},
               Member{"nanoseconds", timing.nanoseconds}, Member{"outputs", timing.outputs},
               Member{"passes", timing.passes});
}

auto visitMembers(Is<PassTime> auto& pass, auto visit) {
  return visit(Member{"name", pass.name}, Member{"nanoseconds", pass.nanoseconds});
}

auto visitMembers(Is<CopyTiming> auto& timing, auto visit) {
  return visit(Member{"status", timing.status}, Member{"message", timing.message},
               Member{"kernel", timing.kernel}, Member{"region", timing.region},
               Unless{"dispatch", timing.dispatch});
}

auto visitMembers(Is<Identity> auto& identity, auto visit) {
  return visit(Member{"target", identity.target}, Member{"adapter", identity.adapter},
               Member{"vendorId", identity.vendorId}, Member{"deviceId", identity.deviceId},
               Member{"driver", identity.driver}, Member{"runtime", identity.runtime},
               Member{"implementation", identity.implementation},
               Unless{"shaderModel", identity.shaderModel},
               LevelOrNewer{"maxLevel", identity.maxLevel}, Member{"limits", identity.limits},
               Member{"files", identity.files});
}

// `Struct`, or its view.
template <class Self, class Struct, class View>
concept IsEither = Is<Self, Struct> || Is<Self, View>;

auto visitMembers(IsEither<Run, RunView> auto& run, auto visit) {
  return visit(Member{"requests", run.requests});
}

auto visitMembers(IsEither<Time, TimeView> auto& time, auto visit) {
  return visit(Member{"request", time.request}, Member{"repetitions", time.repetitions},
               Unless{"evict", time.evict});
}

auto visitMembers(Is<Bare> auto& bare, auto visit) {
  return visit(Member{"requests", bare.requests});
}

auto visitMembers(Is<Copy> auto& copy, auto visit) {
  return visit(Member{"bytes", copy.bytes}, Member{"repetitions", copy.repetitions});
}

auto visitMembers(Is<Place> auto& place, auto visit) {
  return visit(Member{"buffer", place.buffer}, Member{"offset", place.offset});
}

// Calls in messages have one table and one queue, number 0.
auto visitMembers(Is<call::Create> auto& call, auto visit) {
  return visit(Member{"level", call.level}, Member{"descriptor", call.descriptor});
}

auto visitMembers(Is<call::Buffer> auto& call, auto visit) {
  return visit(Member{"buffer", call.buffer}, Member{"bytes", call.bytes});
}

auto visitMembers(Is<call::Bind> auto& call, auto visit) {
  return visit(Member{"inputs", call.inputs}, Member{"outputs", call.outputs});
}

auto visitMembers(Is<call::Put> auto& call, auto visit) {
  return visit(Member{"to", call.to}, Member{"data", call.data});
}

auto visitMembers(Is<call::Execute> auto&, auto visit) { return visit(); }

auto visitMembers(Is<call::Wait> auto&, auto visit) { return visit(); }

auto visitMembers(Is<call::Get> auto& call, auto visit) {
  return visit(Member{"from", call.from}, Member{"bytes", call.bytes});
}

auto visitMembers(Is<Program> auto& program, auto visit) {
  return visit(Member{"calls", program.calls}, Unless{"continues", program.continues});
}

auto visitMembers(Is<Bye> auto&, auto visit) { return visit(); }

auto visitMembers(Is<Hello> auto& hello, auto visit) {
  return visit(Member{"protocol", hello.protocol}, Member{"identity", hello.identity},
               Member{"capabilities", hello.capabilities});
}

auto visitMembers(Is<Answers> auto& answers, auto visit) {
  return visit(Member{"answers", answers.answers});
}

auto visitMembers(Is<BareSeconds> auto& bare, auto visit) {
  return visit(Member{"seconds", bare.seconds});
}

auto visitMembers(Is<ErrorReply> auto& trouble, auto visit) {
  return visit(Member{"kind", trouble.kind}, Member{"text", trouble.text});
}

// The first element of a message: its name.
template <class Message>
constexpr std::string_view messageName() {
  if constexpr (IsEither<Message, Run, RunView>) return "run";
  if constexpr (IsEither<Message, Time, TimeView>) return "time";
  if constexpr (std::same_as<Message, Bare>) return "bare";
  if constexpr (std::same_as<Message, Copy>) return "copy";
  if constexpr (std::same_as<Message, Program>) return "program";
  if constexpr (std::same_as<Message, Bye>) return "bye";
  if constexpr (std::same_as<Message, Hello>) return "hello";
  if constexpr (std::same_as<Message, Answers>) return "answers";
  if constexpr (std::same_as<Message, Timing>) return "timing";
  if constexpr (std::same_as<Message, BareSeconds>) return "seconds";
  if constexpr (std::same_as<Message, CopyTiming>) return "copied";
  if constexpr (std::same_as<Message, ErrorReply>) return "error";
}

// The maximum length of a list, by its element type.
template <class Element>
constexpr size_t maxElements() {
  if constexpr (std::same_as<Element, uint32_t>) return kMaxDimensions;
  if constexpr (std::same_as<Element, double>) return kMaxRepetitions;
  if constexpr (std::same_as<Element, std::string>) return kMaxLimits;
  if constexpr (std::same_as<Element, BufferImage>) return kMaxSlots;
  if constexpr (std::same_as<Element, Bytes>) return kMaxSlots;
  if constexpr (std::same_as<Element, Place>) return kMaxSlots;
  if constexpr (std::same_as<Element, Call>) return kMostCalls;
  if constexpr (std::same_as<Element, Execution>) return kMaxExecutions;
  if constexpr (std::same_as<Element, PassTime>) return kMaxPasses;
  if constexpr (std::same_as<Element, Request>) return kMaxBatch;
  if constexpr (std::same_as<Element, Answer>) return kMaxBatch;
}

// All floating-point numbers of the protocol are durations.
inline void checkTime(const Path& path, double value) {
  if (!std::isfinite(value) || value < 0) {
    path.fail(std::to_string(value) + " is not a length of time");
  }
}

inline void checkCount(const Path& path, size_t count, size_t max) {
  if (count > max) {
    path.fail(std::to_string(count) + " elements, more than " + std::to_string(max));
  }
}

// Checks rules that connect several members of a struct.
template <class Struct>
inline void check(const Path&, const Struct&) {}

inline void check(const Path& path, const BufferImage& image) {
  if (image.offset % kImageAlignment != 0) {
    path.fail("offset", std::to_string(image.offset) + " is not a multiple of " +
                            std::to_string(kImageAlignment));
  }
  const uint64_t bytes = image.bytes.size();
  if (image.offset > bytes) {
    path.fail("offset", std::to_string(image.offset) + " lies beyond the " + std::to_string(bytes) +
                            " bytes");
  }
  if (image.size > bytes - image.offset) {
    path.fail("size", std::to_string(image.size) + " from offset " + std::to_string(image.offset) +
                          " reaches beyond the " + std::to_string(bytes) + " bytes");
  }
}

inline void check(const Path& path, const Request& request) {
  size_t inputs = 0;
  size_t outputs = 0;
  if (request.execute) {
    for (const TensorSlot& slot : tensors(request.descriptor)) ++(slot.isOutput ? outputs : inputs);
  }
  const auto count = [&](std::string_view name, size_t found, size_t wanted) {
    if (found == wanted) return;
    const std::string who = request.execute ? std::string(operatorName(request.descriptor))
                                            : std::string("a request without execution");
    path.fail(name,
              std::to_string(found) + " images where " + who + " has " + std::to_string(wanted));
  };
  count("inputs", request.inputs.size(), inputs);
  count("outputs", request.outputs.size(), outputs);
  if (request.execute) {
    inputs = outputs = 0;
    for (const TensorSlot& slot : tensors(request.descriptor)) {
      const auto& images = slot.isOutput ? request.outputs : request.inputs;
      const uint64_t size = images[slot.isOutput ? outputs++ : inputs++].size;
      if (size >= slot.desc->totalBytes) continue;
      path.fail(slot.isOutput ? "outputs" : "inputs",
                std::string(slot.name) + " has a range of " + std::to_string(size) +
                    " bytes, its description " + std::to_string(slot.desc->totalBytes));
    }
  }
  if (const std::string conflict = conflictOf(request.modes); !conflict.empty()) {
    path.fail("mode", conflict);
  }
}

inline void checkRepetitions(const Path& path, uint32_t repetitions) {
  if (repetitions == 0 || repetitions > kMaxRepetitions) {
    path.fail("repetitions",
              std::to_string(repetitions) + " is outside 1 … " + std::to_string(kMaxRepetitions));
  }
}

inline void checkBytes(const Path& path, const char* member, uint64_t bytes, uint64_t most) {
  if (bytes > most) {
    path.fail(member, std::to_string(bytes) + " bytes, more than " + std::to_string(most));
  }
}

void check(const Path& path, const IsEither<Time, TimeView> auto& time) {
  checkRepetitions(path, time.repetitions);
  checkBytes(path, "evict", time.evict, kMaxEvicted);
  if (time.evict % kImageAlignment != 0) {
    path.fail("evict", std::to_string(time.evict) + " is not a multiple of " +
                           std::to_string(kImageAlignment));
  }
}

inline void check(const Path& path, const Copy& copy) {
  checkRepetitions(path, copy.repetitions);
  if (copy.bytes == 0 || copy.bytes % kImageAlignment != 0) {
    path.fail("bytes", std::to_string(copy.bytes) + " is not a positive multiple of " +
                           std::to_string(kImageAlignment));
  }
  checkBytes(path, "bytes", copy.bytes, kMaxCopied);
}

inline void checkBuffer(const Path& path, uint32_t buffer) {
  if (buffer >= kMostBuffers) {
    path.fail("buffer", "numbers end at " + std::to_string(kMostBuffers - 1));
  }
}

inline void check(const Path& path, const Place& place) { checkBuffer(path, place.buffer); }

inline void check(const Path& path, const call::Buffer& call) {
  checkBuffer(path, call.buffer);
  checkBytes(path, "bytes", call.bytes, kMostBuffer);
}

inline void check(const Path& path, const call::Put& call) {
  checkBytes(path, "data", call.data.size(), kMostTransfer);
}

inline void check(const Path& path, const call::Get& call) {
  checkBytes(path, "bytes", call.bytes, kMostTransfer);
}

inline void check(const Path& path, const Program& program) {
  const auto gets = std::ranges::count_if(
      program.calls, [](const Call& call) { return std::holds_alternative<call::Get>(call); });
  checkCount(path, static_cast<size_t>(gets), kMaxSlots);
}

inline void check(const Path& path, const Timing& timing) {
  if (timing.status == Status::Executed) return;
  if (!timing.outputs.empty()) path.fail("outputs", "buffers though nothing was executed");
}

inline void check(const Path& path, const Answer& answer) {
  if (answer.status == Status::Executed) return;
  if (!answer.outputs.empty()) path.fail("outputs", "buffers though nothing was executed");
  if (!answer.inputs.empty()) path.fail("inputs", "buffers though nothing was executed");
  if (!answer.more.empty()) path.fail("more", "buffers though nothing was executed");
}

}  // namespace dmlcts::gpu

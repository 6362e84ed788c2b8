#include <optional>

#include "gpu/wire/cbor.h"
#include "gpu/wire/frame.h"
#include "gpu/wire/members.h"
#include "gpu/wire/spelling.h"

namespace dmlcts::gpu {
namespace {

// Approximate frame size of a request or an answer without its buffers.
constexpr size_t kTypicalBytes = 512;

template <class Value>
bool present(Member<Value> member) {
  if constexpr (requires { member.value.has_value(); }) return member.value.has_value();
  return true;
}
template <class Value>
bool present(LevelOrNewer<Value>) {
  return true;
}
template <class Value>
bool present(Unless<Value> member) {
  if constexpr (requires { member.value.empty(); })
    return !member.value.empty();
  else
    return member.value != 0;
}

class Writer {
 public:
  explicit Writer(Bytes& out) : cbor_(out) {}

  template <class Message>
  void message(const Message& message) {
    begin<Message>();
    write(message);
  }

  // Writes the same bytes as message(Run{…}) without copying the requests.
  template <class Message, class Element>
  void listMessage(std::string_view member, std::span<const Element> elements) {
    begin<Message>();
    cbor_.map(1);
    writeMember(Member<std::span<const Element>>{member, elements});
  }

  void timeMessage(const Request& request, uint32_t repetitions, uint64_t evict) {
    begin<Time>();
    checkRepetitions(path_, repetitions);
    checkEvict(path_, evict);
    cbor_.map(evict == 0 ? 2 : 3);
    writeMember(Member<const Request>{"request", request});
    writeMember(Member<uint32_t>{"repetitions", repetitions});
    if (evict != 0) writeMember(Member<uint64_t>{"evict", evict});
  }

 private:
  template <class Message>
  void begin() {
    path_.rename(messageName<Message>());
    cbor_.array(2);
    cbor_.text(messageName<Message>());
  }

  void write(bool value) { cbor_.boolean(value); }
  void write(uint32_t value) { cbor_.unsignedInteger(value); }
  void write(uint64_t value) { cbor_.unsignedInteger(value); }
  void write(int32_t value) { cbor_.integer(value); }
  void write(const std::string& value) { cbor_.text(value); }
  void write(const Bytes& value) { cbor_.binary(value); }

  void write(double value) {
    checkTime(path_, value);
    cbor_.number(value);
  }

  template <Enumeration E>
  void write(const E& value) {
    const std::string_view text = spelling(value);
    if (text.empty()) path_.fail("no name for " + std::to_string(static_cast<uint64_t>(value)));
    cbor_.text(text);
  }

  template <class T>
  void write(const std::optional<T>& value) {
    write(*value);  // the map omits absent ones
  }

  template <class T>
  void write(std::span<const T> values) {
    checkCount(path_, values.size(), maxElements<T>());
    cbor_.array(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      path_.enter(i);
      write(values[i]);
      path_.leave();
    }
  }

  template <class T>
  void write(const std::vector<T>& values) {
    write(std::span<const T>(values));
  }

  void write(const std::map<std::string, std::string>& facts) {
    checkCount(path_, facts.size(), kMaxLimits);
    cbor_.map(facts.size());
    for (const auto& [key, value] : facts) {
      cbor_.text(key);
      cbor_.text(value);
    }
  }

  void write(const Modes& modes) {
    cbor_.array(modes.size());
    for (size_t i = 0; i < kModes.size(); ++i) {
      if (modes.has(static_cast<Mode>(i))) cbor_.text(kModes[i].name);
    }
  }

  void write(const Descriptor& descriptor) {
    std::visit(
        [&](const auto& op) {
          cbor_.array(2);
          cbor_.text(op.name);
          write(op);
        },
        descriptor);
  }

  template <class Struct>
  void write(const Struct& value) {
    check(path_, value);
    visitMembers(value, [&](auto... member) {
      cbor_.map((size_t{0} + ... + (present(member) ? 1 : 0)));
      ((present(member) ? writeMember(member) : void()), ...);
    });
  }

  void writeMember(auto member) {
    cbor_.text(member.name);
    path_.enter(member.name);
    write(member.value);
    path_.leave();
  }

  Path path_{"message"};
  CborWriter cbor_;
};

size_t bufferBytes(const Request& request) {
  size_t bytes = kTypicalBytes;
  for (const BufferImage& image : request.inputs) bytes += image.bytes.size();
  for (const BufferImage& image : request.outputs) bytes += image.bytes.size();
  return bytes;
}

size_t bufferBytes(const Timing& timing) {
  size_t bytes = kTypicalBytes;
  for (const Bytes& buffer : timing.outputs) bytes += buffer.size();
  return bytes;
}

size_t bufferBytes(const Answer& answer) {
  size_t bytes = kTypicalBytes;
  for (const Bytes& buffer : answer.inputs) bytes += buffer.size();
  for (const Bytes& buffer : answer.outputs) bytes += buffer.size();
  return bytes * (1 + answer.more.size());
}

// Returns a frame whose message `write` appends.
template <class Write>
Bytes frame(size_t expectedBytes, Write write) {
  Bytes bytes;
  bytes.reserve(kFrameHeaderBytes + expectedBytes);
  beginFrame(bytes);
  write(Writer(bytes));
  endFrame(bytes);
  return bytes;
}

template <class Message, class Element>
Bytes listFrame(std::string_view member, std::span<const Element> elements) {
  size_t expected = kTypicalBytes;
  for (const Element& element : elements) expected += bufferBytes(element);
  return frame(expected, [&](Writer writer) { writer.listMessage<Message>(member, elements); });
}

template <class Message>
Bytes smallFrame(const Message& message) {
  return frame(kTypicalBytes, [&](Writer writer) { writer.message(message); });
}

}  // namespace

Bytes encodeRun(std::span<const Request> requests) { return listFrame<Run>("requests", requests); }

Bytes encodeTime(const Request& request, uint32_t repetitions, uint64_t evict) {
  return frame(kTypicalBytes + bufferBytes(request),
               [&](Writer writer) { writer.timeMessage(request, repetitions, evict); });
}

Bytes encodeBare(std::span<const Request> requests) {
  return listFrame<Bare>("requests", requests);
}

Bytes encode(const Copy& copy) { return smallFrame(copy); }

Bytes encode(const Sequence& program) {
  size_t expected = kTypicalBytes * (1 + program.calls.size());
  for (const SequenceCall& call : program.calls) expected += call.data.size();
  return frame(expected, [&](Writer writer) { writer.message(program); });
}

Bytes encodeBye() { return smallFrame(Bye{}); }

Bytes encode(const Hello& hello) { return smallFrame(hello); }

Bytes encodeAnswers(std::span<const Answer> answers) {
  return listFrame<Answers>("answers", answers);
}

Bytes encode(const Timing& timing) {
  return frame(kTypicalBytes + bufferBytes(timing), [&](Writer writer) { writer.message(timing); });
}

Bytes encode(const BareSeconds& bare) { return smallFrame(bare); }

Bytes encode(const CopyTiming& timing) { return smallFrame(timing); }

Bytes encode(const ErrorReply& trouble) { return smallFrame(trouble); }

}  // namespace dmlcts::gpu

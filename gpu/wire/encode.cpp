#include <concepts>
#include <optional>
#include <type_traits>
#include <variant>

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
    path_.rename(messageName<Message>());
    cbor_.array(2);
    cbor_.text(messageName<Message>());
    write(message);
  }

 private:
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

  // Writes ["name", {…}].
  template <class... Choices>
  void write(const std::variant<Choices...>& choice) {
    std::visit([&](const auto& value) { writeNamed(value); }, choice);
  }

  template <class Choice>
  void writeNamed(const Choice& value) {
    if constexpr (requires { Choice::name; }) {
      cbor_.array(2);
      cbor_.text(Choice::name);
      write(value);
    } else {
      path_.fail("not for messages");
    }
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

struct AnyMember {
  void operator()(auto...) const {}
};

// Approximate bytes of a value in a frame.
template <class Value>
size_t bytesOf(const Value& value) {
  if constexpr (std::same_as<Value, Bytes>) {
    return value.size();
  } else if constexpr (requires { visitMembers(value, AnyMember()); }) {
    return visitMembers(
        value, [](auto... members) { return (kTypicalBytes + ... + bytesOf(members.value)); });
  } else if constexpr (requires { std::variant_size<Value>::value; }) {
    return std::visit([](const auto& choice) { return bytesOf(choice); }, value);
  } else if constexpr (requires { requires std::is_class_v<typename Value::value_type>; }) {
    size_t bytes = 0;
    if constexpr (!requires { value.has_value(); }) {
      for (const auto& each : value) bytes += bytesOf(each);
    }
    return bytes;
  }
  return 0;
}

}  // namespace

template <class Message>
Bytes encode(const Message& message) {
  Bytes bytes;
  bytes.reserve(kFrameHeaderBytes + kTypicalBytes + bytesOf(message));
  beginFrame(bytes);
  Writer(bytes).message(message);
  endFrame(bytes);
  return bytes;
}

template Bytes encode(const RunView&);
template Bytes encode(const Run&);
template Bytes encode(const TimeView&);
template Bytes encode(const Time&);
template Bytes encode(const Bare&);
template Bytes encode(const Copy&);
template Bytes encode(const Program&);
template Bytes encode(const Bye&);
template Bytes encode(const Hello&);
template Bytes encode(const Answers&);
template Bytes encode(const Timing&);
template Bytes encode(const BareSeconds&);
template Bytes encode(const CopyTiming&);
template Bytes encode(const ErrorReply&);

}  // namespace dmlcts::gpu

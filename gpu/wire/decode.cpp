#include <array>
#include <charconv>
#include <concepts>
#include <optional>
#include <utility>

#include "gpu/wire/cbor.h"
#include "gpu/wire/members.h"
#include "gpu/wire/path.h"
#include "gpu/wire/spelling.h"

namespace dmlcts::gpu {
namespace {

template <class T>
constexpr bool kOptional = false;
template <class T>
constexpr bool kOptional<Member<std::optional<T>>> = true;
template <class T>
constexpr bool kOptional<Unless<T>> = true;

// True for "6.5", "7.0", …: a level as text, above the newest known one.
bool isNewer(std::string_view level) {
  const auto numbers = [](std::string_view text) {
    std::pair<uint32_t, uint32_t> pair;
    const char* const end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, pair.first);
    if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::pair(0u, 0u);
    const auto minor = std::from_chars(major.ptr + 1, end, pair.second);
    return minor.ec == std::errc() && minor.ptr == end ? pair : std::pair(0u, 0u);
  };
  return numbers(level) > numbers(name(kLevels.back()));
}

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> payload) : cbor_(payload, path_) {}

  // Reads ["name", {…}] into the alternative of that name.
  template <class... Messages>
  std::variant<Messages...> message(std::type_identity<std::variant<Messages...>>) {
    choice();
    const std::string_view name = cbor_.text();
    std::variant<Messages...> result;
    const bool known =
        ((name == messageName<Messages>() ? (path_.rename(messageName<Messages>()),
                                             read(result.template emplace<Messages>()), true)
                                          : false) ||
         ...);
    if (!known) path_.fail("no message is called \"" + cleanText(name, 64) + '"');
    cbor_.end();
    return result;
  }

 private:
  void choice() {
    if (const size_t elements = cbor_.array(2); elements != 2) {
      path_.fail(std::to_string(elements) + " elements where a name and its content must be");
    }
  }

  void read(bool& value) { value = cbor_.boolean(); }
  void read(uint32_t& value) { value = static_cast<uint32_t>(cbor_.unsignedInteger(UINT32_MAX)); }
  void read(uint64_t& value) { value = cbor_.unsignedInteger(); }
  void read(int32_t& value) { value = static_cast<int32_t>(cbor_.integer(INT32_MIN, INT32_MAX)); }
  void read(std::string& value) { value = cbor_.text(); }

  void read(double& value) {
    value = cbor_.number();
    checkTime(path_, value);
  }

  void read(Bytes& value) {
    const auto bytes = cbor_.binary();
    value.assign(bytes.begin(), bytes.end());
  }

  template <Enumeration E>
  void read(E& value) {
    const std::string_view text = cbor_.text();
    if (!parse(text, value)) path_.fail("unknown name \"" + cleanText(text, 64) + '"');
  }

  template <class T>
  void read(std::optional<T>& value) {
    read(value.emplace());
  }

  template <class T>
  void read(std::vector<T>& values) {
    const size_t count = cbor_.array(maxElements<T>());
    values.clear();
    for (size_t i = 0; i < count; ++i) {
      path_.enter(i);
      read(values.emplace_back());
      path_.leave();
    }
  }

  void read(std::map<std::string, std::string>& facts) {
    const size_t count = cbor_.map(kMaxLimits);
    facts.clear();
    for (size_t i = 0; i < count; ++i) {
      const std::string_view key = cbor_.text();
      const std::string_view value = cbor_.text();
      if (!facts.emplace(key, value).second) path_.fail(key, "appears twice");
    }
  }

  void read(Modes& modes) {
    const size_t count = cbor_.array(kModes.size());
    for (size_t i = 0; i < count; ++i) {
      const std::string_view text = cbor_.text();
      const auto mode = parseMode(text);
      if (!mode) path_.fail("unknown name \"" + cleanText(text, 64) + '"');
      if (modes.has(*mode)) path_.fail(text, "appears twice");
      modes.add(*mode);
    }
  }

  // Reads ["name", {…}] into the alternative of that name.
  template <class... Choices>
  void read(std::variant<Choices...>& value) {
    choice();
    const std::string_view name = cbor_.text();
    if (!(readNamed<Choices>(name, value) || ...)) {
      path_.fail("unknown name \"" + cleanText(name, 64) + '"');
    }
  }

  template <class Choice>
  bool readNamed(std::string_view name, auto& value) {
    if constexpr (requires { Choice::name; }) {
      if (name == Choice::name) {
        read(value.template emplace<Choice>());
        return true;
      }
    }
    return false;
  }

  // Reads a map with exactly the struct's members, in any order. std::optional and
  // Unless members may be absent.
  template <class Struct>
  void read(Struct& value) {
    visitMembers(value, [&](auto... member) {
      [[maybe_unused]] std::array<bool, sizeof...(member) + 1> seen{};
      const size_t count = cbor_.map(sizeof...(member));
      for (size_t i = 0; i < count; ++i) {
        const std::string_view key = cbor_.text();
        [[maybe_unused]] size_t index = 0;
        const bool known = (... || readMember(key, member, seen[index++]));
        if (!known) path_.fail(key, "unknown member");
      }
      [[maybe_unused]] size_t index = 0;
      (require(member, seen[index++]), ...);
    });
    if constexpr (std::same_as<Struct, Identity>) {
      if (!newerLevel_.empty()) value.limits["highest level reported"] = newerLevel_;
    }
    check(path_, value);
  }

  bool readMember(std::string_view key, auto member, bool& seen) {
    if (key != member.name) return false;
    if (seen) path_.fail(key, "appears twice");
    seen = true;
    path_.enter(member.name);
    readValue(member);
    path_.leave();
    return true;
  }

  void readValue(auto member) { read(member.value); }
  void readValue(LevelOrNewer<Level> member) {
    const std::string_view text = cbor_.text();
    if (parse(text, member.value)) return;
    if (!isNewer(text)) path_.fail("unknown name \"" + cleanText(text, 64) + '"');
    member.value = kLevels.back();
    newerLevel_ = text;
  }

  template <class AnyMember>
  void require(AnyMember member, bool seen) {
    if (!seen && !kOptional<AnyMember>) path_.fail(member.name, "is missing");
  }

  Path path_{"message"};
  std::string newerLevel_;  // than the known ones, as the identity has it
  CborReader cbor_;
};

}  // namespace

Order decodeOrder(std::span<const uint8_t> payload, ProgramState& program) {
  Order order = Reader(payload).message(std::type_identity<Order>());
  if (const auto* calls = std::get_if<Program>(&order)) program.add(*calls);
  return order;
}

Reply decodeReply(std::span<const uint8_t> payload) {
  return Reader(payload).message(std::type_identity<Reply>());
}

}  // namespace dmlcts::gpu

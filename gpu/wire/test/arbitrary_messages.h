#pragma once

#include <rapidcheck.h>

#include "gpu/wire/members.h"
#include "gpu/wire/protocol.h"
#include "gpu/wire/spelling.h"

// Arbitrary messages, well-formed for the protocol, and their comparison, both by the list of
// members. Operators would reject most of the descriptors, on purpose.

namespace dmlcts::gpu {

inline void fillArbitrary(std::string& text) {
  text = *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
}
inline void fillArbitrary(double& time) { time = *rc::gen::arbitrary<uint32_t>() / 7.0; }
inline void fillArbitrary(Bytes& bytes) { bytes = *rc::gen::arbitrary<Bytes>(); }
inline void fillArbitrary(Level& level) {
  level = kLevels[*rc::gen::inRange<size_t>(0, kLevels.size())];
}
template <Enumeration Enum>
void fillArbitrary(Enum& value) {
  value = kNames<Enum>[*rc::gen::inRange<size_t>(0, kNames<Enum>.size())].value;
}

// Adds modes that do not exclude each other.
inline void fillArbitrary(Modes& modes) {
  for (size_t i = 0; i < kModes.size(); ++i) {
    Modes more = modes;
    more.add(static_cast<Mode>(i));
    if (conflictOf(more).empty() && *rc::gen::arbitrary<bool>()) modes = more;
  }
}

template <std::integral Number>
void fillArbitrary(Number& number) {
  number = *rc::gen::arbitrary<Number>();
}

template <class Struct>
void fillArbitrary(Struct& value);

template <class Element>
void fillArbitrary(std::vector<Element>& elements) {
  elements.resize(*rc::gen::inRange<size_t>(0, 6));
  for (Element& each : elements) fillArbitrary(each);
}

template <class Value>
void fillArbitrary(std::optional<Value>& value) {
  if (*rc::gen::arbitrary<bool>()) fillArbitrary(value.emplace());
}

inline void fillArbitrary(std::map<std::string, std::string>& facts) {
  for (auto count = *rc::gen::inRange<size_t>(0, 4); count > 0; --count) {
    std::string name;
    fillArbitrary(name);
    fillArbitrary(facts[name]);
  }
}

template <class... Operators>
void fillArbitrary(std::variant<Operators...>& descriptor) {
  const auto chosen = *rc::gen::inRange<size_t>(0, sizeof...(Operators));
  size_t place = 0;
  ((place++ == chosen ? fillArbitrary(descriptor.template emplace<Operators>()) : void()), ...);
}

// Makes the members of a struct agree with each other.
template <class Struct>
void agree(Struct&) {}
inline void agree(BufferImage& image) {
  image.offset %= image.bytes.size() / kImageAlignment + 1;
  image.offset *= kImageAlignment;
  image.size %= image.bytes.size() - image.offset + 1;
}
inline void agree(Request& request) {
  size_t inputs = 0;
  size_t outputs = 0;
  for (const TensorSlot& slot : tensors(request.descriptor)) ++(slot.isOutput ? outputs : inputs);
  request.inputs.resize(request.execute ? inputs : 0);
  request.outputs.resize(request.execute ? outputs : 0);
  inputs = outputs = 0;
  for (const TensorSlot& slot : tensors(request.descriptor)) {
    const auto& images = slot.isOutput ? request.outputs : request.inputs;
    const size_t image = slot.isOutput ? outputs++ : inputs++;
    if (request.execute) const_cast<TensorDesc*>(slot.desc)->totalBytes = images[image].size;
  }
}
inline void agree(Answer& answer) {
  if (answer.status != Status::Executed) {
    answer = {{}, answer.id, answer.status, answer.hresult, answer.message};
  }
  if (answer.modes.empty()) answer.more.clear();
}
inline void agree(Timing& timing) {
  if (timing.status != Status::Executed) timing.outputs.clear(), timing.passes.clear();
}
inline void agree(Time& time) {
  time.repetitions = time.repetitions % kMaxRepetitions + 1;
  time.evict = time.evict % (1 << 20) * kImageAlignment;
}
inline void agree(Copy& copy) {
  copy.repetitions = copy.repetitions % kMaxRepetitions + 1;
  copy.bytes = (copy.bytes % (kMaxCopied / kImageAlignment) + 1) * kImageAlignment;
}

template <class Struct>
void fillArbitrary(Struct& value) {
  visitMembers(value, [](auto... member) { (fillArbitrary(member.value), ...); });
  agree(value);
}

template <class Message>
Message arbitraryMessage() {
  Message message;
  fillArbitrary(message);
  return message;
}

template <class Value>
bool same(const Value& a, const Value& b) {
  if constexpr (requires { a.begin()->id; }) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return same(x, y); });
  } else if constexpr (requires { a.has_value(); }) {
    return a && b ? same(*a, *b) : !a && !b;
  } else if constexpr (requires { a == b; }) {
    return a == b;
  } else {
    return visitMembers(a, [&b](auto... one) {
      return visitMembers(
          b, [one...](auto... other) { return (same(one.value, other.value) && ...); });
    });
  }
}

}  // namespace dmlcts::gpu

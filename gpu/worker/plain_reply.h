#pragma once

#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "gpu/wire/members.h"
#include "gpu/wire/utf8.h"

// The one place where text of workers enters the harness: it loses characters that could control a
// terminal.

namespace dmlcts::gpu {

using Plain = std::string (*)(std::string_view);

struct AnyMembers {
  void operator()(auto...) const {}
};

// Applies `plain` to every text in a message; an identity's texts have one line each.
template <class Value>
void makePlain(Value& value, Plain plain) {
  if constexpr (std::same_as<Value, std::string>) {
    value = plain(value);
  } else if constexpr (std::same_as<Value, std::map<std::string, std::string>>) {
    Value all;
    for (const auto& [name, text] : value) all.emplace(plain(name), plain(text));
    value = std::move(all);
  } else if constexpr (requires { value.has_value(); }) {
    if (value) makePlain(*value, plain);
  } else if constexpr (requires { visitMembers(value, AnyMembers()); }) {
    const Plain inside = std::same_as<Value, Identity> ? plainLine : plain;
    visitMembers(value, [&](auto... members) { (makePlain(members.value, inside), ...); });
  } else if constexpr (requires { requires std::is_class_v<typename Value::value_type>; }) {
    for (auto& each : value) makePlain(each, plain);
  }
}

inline void makePlain(Reply& reply) {
  std::visit([](auto& message) { makePlain(message, plainText); }, reply);
}

}  // namespace dmlcts::gpu

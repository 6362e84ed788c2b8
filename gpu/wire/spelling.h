#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>

#include "gpu/wire/protocol.h"

// The spelling of the protocol's enumerations in frames.

namespace dmlcts::gpu {

template <class T>
concept Enumeration = std::is_enum_v<T>;

template <Enumeration Enum>
struct Named {
  Enum value;
  std::string_view name;
};
template <Enumeration Enum>
Named(Enum, std::string_view) -> Named<Enum>;  // for clang before 17

// Returns a table of `count` values, each made from its number.
template <size_t count, class Make>
constexpr auto tableOf(Make make) {
  std::array<decltype(make(size_t{0})), count> table{};
  for (size_t i = 0; i < count; ++i) table[i] = make(i);
  return table;
}

template <Enumeration Enum>
inline constexpr std::array<Named<Enum>, 0> kNames{};
template <>
inline constexpr std::array kNames<Status>{
    Named{Status::Rejected, "rejected"},           Named{Status::Created, "created"},
    Named{Status::Executed, "executed"},           Named{Status::NotSupported, "notSupported"},
    Named{Status::DeviceRemoved, "deviceRemoved"}, Named{Status::Failed, "failed"},
};
template <>
inline constexpr std::array kNames<ErrorReply::Kind>{
    Named{ErrorReply::Kind::Target, "target"},
    Named{ErrorReply::Kind::Options, "options"},
    Named{ErrorReply::Kind::Protocol, "protocol"},
};
template <>
inline constexpr auto kNames<DataType> = tableOf<kDataTypes.size()>(
    [](size_t i) { return Named{kDataTypes[i].type, kDataTypes[i].name}; });

// Returns "" for a value that there is not.
template <Enumeration Enum>
constexpr std::string_view spelling(Enum value) {
  const auto found = std::ranges::find(kNames<Enum>, value, &Named<Enum>::value);
  return found == kNames<Enum>.end() ? std::string_view{} : found->name;
}

template <Enumeration Enum>
constexpr bool parse(std::string_view text, Enum& value) {
  const auto found = std::ranges::find(kNames<Enum>, text, &Named<Enum>::name);
  if (found != kNames<Enum>.end()) value = found->value;
  return found != kNames<Enum>.end();
}

inline std::string_view spelling(Level value) {
  return std::ranges::find(kLevels, value) == kLevels.end() ? std::string_view{} : name(value);
}

inline bool parse(std::string_view text, Level& value) {
  const auto level = parseLevel(text);
  if (level) value = *level;
  return level.has_value();
}

}  // namespace dmlcts::gpu

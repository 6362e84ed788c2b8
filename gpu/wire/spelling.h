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

template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
};
template <class Enum>
Named(Enum, std::string_view) -> Named<Enum>;  // for clang before 17

inline constexpr std::array kStatuses{
    Named{Status::Rejected, "rejected"},           Named{Status::Created, "created"},
    Named{Status::Executed, "executed"},           Named{Status::NotSupported, "notSupported"},
    Named{Status::DeviceRemoved, "deviceRemoved"}, Named{Status::Failed, "failed"},
};

inline constexpr std::array kTroubleKinds{
    Named{ErrorReply::Kind::Target, "target"},
    Named{ErrorReply::Kind::Options, "options"},
    Named{ErrorReply::Kind::Protocol, "protocol"},
};

inline constexpr std::array<std::string_view, 5> kPieceSteps{"open", "put", "execute", "get",
                                                             "close"};

inline std::string_view spelling(PieceStep value) {
  return static_cast<size_t>(value) < kPieceSteps.size() ? kPieceSteps[static_cast<size_t>(value)]
                                                         : std::string_view{};
}

inline bool parse(std::string_view text, PieceStep& value) {
  const auto found = std::ranges::find(kPieceSteps, text);
  value = static_cast<PieceStep>(found - kPieceSteps.begin());
  return found != kPieceSteps.end();
}

inline std::string_view spelling(Status value) {
  for (const auto& entry : kStatuses) {
    if (entry.value == value) return entry.name;
  }
  return {};
}

inline std::string_view spelling(ErrorReply::Kind value) {
  for (const auto& entry : kTroubleKinds) {
    if (entry.value == value) return entry.name;
  }
  return {};
}

inline std::string_view spelling(DataType value) {
  return static_cast<size_t>(value) < kDataTypes.size() ? info(value).name : std::string_view{};
}

inline std::string_view spelling(Level value) {
  for (Level level : kLevels) {
    if (level == value) return dmlcts::name(level);
  }
  return {};
}

inline std::string_view spelling(CallKind value) {
  return static_cast<size_t>(value) < kCallNames.size() ? name(value) : std::string_view{};
}

inline std::string_view spelling(Misuse value) {
  return static_cast<size_t>(value) < kMisuses.size() ? info(value).name : std::string_view{};
}

inline bool parse(std::string_view text, Misuse& value) {
  const auto found = std::ranges::find(kMisuses, text, &MisuseInfo::name);
  value = static_cast<Misuse>(found - kMisuses.begin());
  return found != kMisuses.end();
}

inline bool parse(std::string_view text, CallKind& value) {
  const auto found = std::ranges::find(kCallNames, text);
  value = static_cast<CallKind>(found - kCallNames.begin());
  return found != kCallNames.end();
}

inline bool parse(std::string_view text, Status& value) {
  for (const auto& entry : kStatuses) {
    if (entry.name == text) return value = entry.value, true;
  }
  return false;
}

inline bool parse(std::string_view text, ErrorReply::Kind& value) {
  for (const auto& entry : kTroubleKinds) {
    if (entry.name == text) return value = entry.value, true;
  }
  return false;
}

inline bool parse(std::string_view text, DataType& value) {
  for (const DataTypeInfo& entry : kDataTypes) {
    if (entry.name == text) return value = entry.type, true;
  }
  return false;
}

inline bool parse(std::string_view text, Level& value) {
  const auto level = parseLevel(text);
  if (level) value = *level;
  return level.has_value();
}

}  // namespace dmlcts::gpu

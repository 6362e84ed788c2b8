#include "reference/level.h"

namespace dmlcts {

std::string_view name(Level level) {
  switch (level) {
    case Level::L2_1:
      return "2.1";
    case Level::L3_0:
      return "3.0";
    case Level::L3_1:
      return "3.1";
    case Level::L4_0:
      return "4.0";
    case Level::L4_1:
      return "4.1";
    case Level::L5_0:
      return "5.0";
    case Level::L5_1:
      return "5.1";
    case Level::L5_2:
      return "5.2";
    case Level::L6_0:
      return "6.0";
    case Level::L6_1:
      return "6.1";
    case Level::L6_2:
      return "6.2";
    case Level::L6_3:
      return "6.3";
    case Level::L6_4:
      return "6.4";
  }
  return "unknown";
}

std::optional<Level> parseLevel(std::string_view text) {
  for (Level level : kLevels) {
    if (name(level) == text) return level;
  }
  return std::nullopt;
}

}  // namespace dmlcts

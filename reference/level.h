#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dmlcts {

// A DirectML feature level, with the values of DML_FEATURE_LEVEL (0xMMmm, major and minor in
// nibbles). Starts at 2.1, the first level with an operator of this suite.
enum class Level : uint16_t {
  L2_1 = 0x2100,
  L3_0 = 0x3000,
  L3_1 = 0x3100,
  L4_0 = 0x4000,
  L4_1 = 0x4100,
  L5_0 = 0x5000,
  L5_1 = 0x5100,
  L5_2 = 0x5200,
  L6_0 = 0x6000,
  L6_1 = 0x6100,
  L6_2 = 0x6200,
  L6_3 = 0x6300,
  L6_4 = 0x6400,
};

inline constexpr std::array kLevels{
    Level::L2_1, Level::L3_0, Level::L3_1, Level::L4_0, Level::L4_1, Level::L5_0, Level::L5_1,
    Level::L5_2, Level::L6_0, Level::L6_1, Level::L6_2, Level::L6_3, Level::L6_4,
};

// Returns "4.0", "6.4", …
std::string_view name(Level level);

// Returns the level with this name, if any.
std::optional<Level> parseLevel(std::string_view text);

}  // namespace dmlcts

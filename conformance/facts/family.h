#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// The families of cases, as data: queries and reports need their names. families.def lists them,
// each with the function in conformance/families that adds its cases.

namespace dmlcts {

// A part of the suite. Smoke is a spread sample of Default. Large has only cases too big for
// routine runs. Huge has cases that only GPUs have the memory for, smallest first.
enum class Tier : uint8_t { Smoke, Default, Large, Huge };

// The cases of one aspect.
struct Family {
  std::string_view name;    // "layouts": in queries and reports
  std::string_view covers;  // one sentence
  Tier tier;                // Default, Large or Huge
  uint32_t smokeEvery;      // Smoke takes one in this many, or none if 0; for Default families
  uint64_t firstSeed;       // first seed; no two families give the same case
};

// All families, in running order.
inline constexpr std::array kFamilies{
#define FAMILY(add, name, tier, smokeEvery, firstSeed, covers) \
  Family{name, covers, Tier::tier, smokeEvery, firstSeed},
#include "conformance/facts/families.def"
#undef FAMILY
};

}  // namespace dmlcts

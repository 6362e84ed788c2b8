#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/language/case.h"

namespace dmlcts {

// A part of the suite. Smoke is a spread sample of Default. Large has only cases too big for
// routine runs. Huge has cases that only GPUs have the memory for, smallest first.
enum class Tier : uint8_t { Smoke, Default, Large, Huge };

inline constexpr std::array kTiers{Tier::Smoke, Tier::Default, Tier::Large, Tier::Huge};

// "smoke", "default", "large", "huge".
std::string_view name(Tier tier);
std::optional<Tier> parseTier(std::string_view text);

class CaseList;

// The cases of one aspect. cases/tiers/families.cpp lists all families.
struct Family {
  std::string_view name;    // "layouts": in queries and reports
  std::string_view covers;  // one sentence
  void (*add)(CaseList&);   // adds all its cases, always the same in the same order
  Tier tier;                // Default, Large or Huge
  uint32_t smokeEvery;      // Smoke takes one in this many, or none if 0; for Default families
  uint64_t firstSeed;       // first seed; no two families give the same case
};

std::span<const Family> families();

// Returns one family's cases in a tier; empty if it has none there.
std::vector<Case> casesOf(const Family& family, Tier tier);

// Returns all cases of a tier, in the order of families(). The same on every platform.
std::vector<Case> cases(Tier tier);

// Returns the number of cases per operator and level ("gather_nd 3.0"), without listing them.
std::map<std::string, uint64_t> casesInTier(Tier tier);

}  // namespace dmlcts

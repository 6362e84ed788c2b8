#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// How much of the suite to run. Smoke is a spread sample of Default; Large has only what is too
// big for routine; Huge what only GPUs have the memory for, least first.
enum class Tier : uint8_t { Smoke, Default, Large, Huge };

inline constexpr std::array kTiers{Tier::Smoke, Tier::Default, Tier::Large, Tier::Huge};

// "smoke", "default", "large", "huge".
std::string_view name(Tier tier);
std::optional<Tier> parseTier(std::string_view text);

class CaseList;

// The cases of one aspect. The list of them is in families/families.cpp.
struct Family {
  std::string_view name;    // "layouts": in queries and reports
  std::string_view covers;  // one sentence
  void (*add)(CaseList&);   // adds all its cases, always the same ones in the same order
  Tier tier;                // Default, Large or Huge
  uint32_t smokeEvery;      // Smoke takes one of so many; for Default families
  uint64_t firstSeed;       // seeds count from here, so that no two families name the same case
};

std::span<const Family> families();

// The cases of one family in that tier: none when it has no part in it.
std::vector<Case> casesOf(const Family& family, Tier tier);

// The cases of all families, in the order of families(). The same on every platform.
std::vector<Case> cases(Tier tier);

// How many cases a tier has of each operator at each level ("gather_nd 3.0"), without listing them.
std::map<std::string, uint64_t> casesInTier(Tier tier);

}  // namespace dmlcts

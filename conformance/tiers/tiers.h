#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/family.h"
#include "conformance/language/case.h"

namespace dmlcts {

inline constexpr std::array kTiers{Tier::Smoke, Tier::Default, Tier::Large, Tier::Huge};

// "smoke", "default", "large", "huge".
std::string_view name(Tier tier);
std::optional<Tier> parseTier(std::string_view text);

// Returns one family's cases in a tier; empty if it has none there.
std::vector<Case> casesOf(const Family& family, Tier tier);

// Returns all cases of a tier, in the order of kFamilies. The same on every platform.
std::vector<Case> cases(Tier tier);

// Returns the number of cases per operator and level ("gather_nd 3.0"), without listing them.
std::map<std::string, uint64_t> casesInTier(Tier tier);

}  // namespace dmlcts

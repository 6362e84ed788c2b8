#include "conformance/tiers/tiers.h"

#include <algorithm>

#include "conformance/facts/operators.h"
#include "conformance/families/families.h"
#include "conformance/inputs/streamed_inputs.h"

namespace dmlcts {
namespace {

constexpr std::array<std::string_view, 4> kTierNames{"smoke", "default", "large", "huge"};

struct TierCount {
  std::string_view tier;
  std::string_view cases;  // operator and level
  uint64_t count;
};
constexpr TierCount kTierCounts[] = {
#include "conformance/tiers/tier_counts.inc"
};

// Adds all cases of a family, always the same in the same order.
struct FamilyCases {
  std::string_view family;
  void (*add)(CaseList& list);
};
constexpr std::array kCases{
#define FAMILY(add, name, ...) FamilyCases{name, add},
#include "conformance/facts/families.def"
#undef FAMILY
};

void addCases(const Family& family, CaseList& list) {
  std::ranges::find(kCases, family.name, &FamilyCases::family)->add(list);
}

// Returns Smoke's sample. It includes every rule that a family rejects by.
std::vector<Case> sampleOf(CaseList list) {
  const std::vector<size_t> kept = list.kept();
  std::vector<Case> all = list.take();
  std::vector<Case> sample;
  std::vector<std::string> rules;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool newRule = std::ranges::find(rules, all[i].rejectBy) == rules.end();
    if (newRule) rules.push_back(all[i].rejectBy);
    if (newRule || std::ranges::binary_search(kept, i) || list.isSampled(i)) {
      sample.push_back(std::move(all[i]));
    }
  }
  return sample;
}

}  // namespace

std::string_view name(Tier tier) { return kTierNames[static_cast<size_t>(tier)]; }

std::optional<Tier> parseTier(std::string_view text) {
  for (Tier tier : kTiers) {
    if (name(tier) == text) return tier;
  }
  return std::nullopt;
}

std::vector<Case> casesOf(const Family& family, Tier tier) {
  if (family.tier != (tier == Tier::Smoke ? Tier::Default : tier)) return {};
  if (tier == Tier::Smoke && family.smokeEvery == 0) return {};
  std::vector<Case> all;
  // One list per edition: adding cases to one edition never changes another.
  for (uint32_t edition = 1; edition <= editions(); ++edition) {
    const bool smoke = tier == Tier::Smoke;
    CaseList list(family, edition, smoke);
    addCases(family, list);
    auto some = smoke ? sampleOf(std::move(list)) : list.take();
    all.insert(all.end(), std::make_move_iterator(some.begin()),
               std::make_move_iterator(some.end()));
  }
  if (tier == Tier::Huge) std::ranges::stable_sort(all, {}, tensorBytes);
  return all;
}

std::vector<Case> cases(Tier tier) {
  std::vector<Case> all;
  for (const Family& family : kFamilies) {
    auto some = casesOf(family, tier);
    all.insert(all.end(), std::make_move_iterator(some.begin()),
               std::make_move_iterator(some.end()));
  }
  return all;
}

std::map<std::string, uint64_t> casesInTier(Tier tier) {
  std::map<std::string, uint64_t> all;
  for (const TierCount& count : kTierCounts) {
    if (count.tier == name(tier)) all.emplace(count.cases, count.count);
  }
  return all;
}

}  // namespace dmlcts

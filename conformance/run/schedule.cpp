#include "conformance/run/schedule.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <queue>

#include "conformance/facts/query.h"
#include "conformance/language/case_string.h"
#include "conformance/language/hash.h"
#include "conformance/language/nearest.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/language/plan_hash.h"
#include "conformance/run/replay/case_file.h"
#include "conformance/tiers/tiers.h"

namespace dmlcts {
namespace {

// Assigns cases to shards of about equal cost: most expensive first, each to the cheapest shard so
// far. Depends only on the costs and the number of shards.
std::vector<uint32_t> shardOf(const std::vector<uint64_t>& cost, uint32_t shardCount) {
  std::vector<size_t> order(cost.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](size_t i) { return cost[i]; });
  using Load = std::pair<uint64_t, uint32_t>;  // a shard's cost so far, and its number
  std::vector<Load> loads;
  for (uint32_t i = 0; i < shardCount; ++i) loads.emplace_back(0, i);
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least({}, std::move(loads));
  std::vector<uint32_t> shard(cost.size());
  for (size_t i : order) {
    auto [load, number] = least.top();
    least.pop();
    shard[i] = number;
    least.emplace(load + cost[i], number);
  }
  return shard;
}

// Throws unless every query matches a case: an ignored query is an unnoticed typing error. `met`:
// one flag per query.
void requireMatches(const ScheduleOptions& options, bool none, const std::vector<bool>& met) {
  std::string among;
  if (options.level) among += " at level " + *options.level;
  if (!options.mode.text().empty()) among += " in mode " + options.mode.text();
  if (options.only) among += " among the chosen ones";
  const std::string whole = !options.given             ? "the " + options.tier + " tier"
                            : options.caseFile.empty() ? "the given cases"
                                                       : options.caseFile;
  const auto found = std::ranges::find(met, false);
  if (found == met.end()) {
    if (none) throw std::invalid_argument(fmt::format("{} has no case{}", whole, among));
    return;
  }
  const std::string& query = options.queries[static_cast<size_t>(found - met.begin())];
  std::string why = whyNothingMatches({&query, 1});
  if (why.empty() && query.find(' ') != query.npos) {
    why = "; all its words must hold, and \"or\" begins another query";
  }
  throw std::invalid_argument(
      fmt::format("no case of {} matches \"{}\"{}{}", whole, query, among, why));
}

// Returns the case that the query spells out; nothing for any other query.
std::optional<Case> wholeCase(const std::string& query) {
  try {
    Case testCase = parseCase(query);
    NpyFiles().read(testCase);
    testCase.family = kGivenFamily;
    return testCase;
  } catch (const SyntaxError&) {
    return std::nullopt;
  }
}

}  // namespace

uint64_t estimatedCost(const Case& testCase) {
  // Measured on the embedded default: a small case costs about as much as moving 64 KiB.
  uint64_t cost = 64 * 1024;
  if (testCase.expect != Expect::Execute) return cost / 8;
  for (const TensorSlot& slot : tensors(testCase.descriptor)) cost += slot.desc->totalBytes;
  return cost;
}

Schedule chooseCases(const ScheduleOptions& options) {
  const auto tier = parseTier(options.tier);
  if (!tier) {
    std::vector<std::string_view> names;
    for (Tier each : kTiers) names.push_back(name(each));
    throw std::invalid_argument(fmt::format("no tier \"{}\", only {}{}", options.tier,
                                            fmt::join(names, ", "),
                                            didYouMean(options.tier, names)));
  }
  if (options.shardCount > kMostShards) {
    throw std::invalid_argument(
        fmt::format("{} shards: at most {} are possible", options.shardCount, kMostShards));
  }
  if (options.shardCount == 0 || options.shardIndex >= options.shardCount) {
    throw std::invalid_argument(fmt::format("no shard {} of {}: shards count from 0",
                                            options.shardIndex, options.shardCount));
  }
  std::vector<Query> queries;
  for (const std::string& text : options.queries) queries.emplace_back(text);
  std::vector<bool> met(queries.size());
  std::optional<Query> level;
  if (options.level) level.emplace("level=" + *options.level);

  Schedule schedule;
  std::vector<ScheduledCase> chosen;
  if (options.only) schedule.unknown = options.only->size();
  const auto admits = [&](const Case& testCase) {
    if (options.only) {
      if (!options.only->contains(caseString(testCase))) return false;
      --schedule.unknown;
    }
    return (!level || level->matches(testCase)) && options.mode.descriptor(testCase).has_value();
  };
  const auto choose = [&](Case& testCase) {
    if (!admits(testCase)) return;
    bool any = queries.empty();
    for (size_t i = 0; i < queries.size(); ++i) {
      if ((any && met[i]) || !queries[i].matches(testCase)) continue;
      any = met[i] = true;
    }
    if (!any) return;
    std::string text = caseString(testCase);
    chosen.push_back({std::move(testCase), std::move(text)});
  };
  if (options.given) {
    schedule.ofTier = false;
    for (Case testCase : *options.given) {
      testCase.family = kGivenFamily;
      choose(testCase);
    }
  }
  bool isWhole = true;
  std::map<std::pair<size_t, Level>, uint64_t> counts;
  for (const Family& family : options.given ? std::span<const Family>() : kFamilies) {
    const bool mayMatch = std::ranges::any_of(
        queries, [&](const Query& query) { return query.mayMatchFamily(family.name); });
    if (!queries.empty() && !options.only && !mayMatch) {
      isWhole = false;
      continue;
    }
    for (Case& testCase : casesOf(family, *tier)) {
      if (options.cancelled && options.cancelled()) throw Interrupted();
      ++counts[{testCase.descriptor.index(), testCase.level}];
      testCase.seed += options.seed * 1000003;
      choose(testCase);
    }
  }
  for (const auto& [place, count] : counts) {
    schedule.tierCases.emplace(
        fmt::format("{} {}", operatorNames()[place.first], name(place.second)), count);
  }
  if (!isWhole) schedule.tierCases = casesInTier(*tier);
  for (size_t i = 0; i < queries.size() && !options.given; ++i) {
    auto typed = wholeCase(options.queries[i]);
    if (!typed) continue;
    std::string text = caseString(*typed);
    if (std::ranges::find(chosen, text, &ScheduledCase::text) != chosen.end()) {
      met[i] = true;  // though it may spell out defaults that the case string omits
      continue;
    }
    if (const auto problem = whyNotRunnable(*typed)) {
      if (met[i]) continue;  // a pattern of the tier's cases
      throw std::invalid_argument(fmt::format("{}: {}", options.queries[i], *problem));
    }
    if (!admits(*typed)) continue;
    met[i] = true;
    schedule.ofTier = false;
    chosen.push_back({std::move(*typed), std::move(text)});
  }
  if (!schedule.ofTier) schedule.tierCases.clear();

  requireMatches(options, chosen.empty(), met);

  PlanHash hash;
  for (const ScheduledCase& each : chosen) hash.add(each.text);
  schedule.hash = hash.text();
  if (options.shardCount == 1) {
    schedule.cases = std::move(chosen);
    return schedule;
  }
  std::vector<uint64_t> costs;
  for (const ScheduledCase& each : chosen) costs.push_back(estimatedCost(each.testCase));
  const auto shard = shardOf(costs, options.shardCount);
  Fnv1a partition;
  for (uint32_t index : shard) partition.add(std::to_string(index) + "\n");
  schedule.partitionHash = fmt::format("{:016x}", partition.value());
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (shard[i] == options.shardIndex) schedule.cases.push_back(std::move(chosen[i]));
  }
  return schedule;
}

}  // namespace dmlcts

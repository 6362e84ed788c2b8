#include "conformance/cases/facts/cover.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace dmlcts {
namespace {

constexpr size_t kMostNodes = 20'000;

bool coverWithin(const std::vector<CoverSet>& sets, const Bits& left, size_t most,
                 std::vector<size_t>& chosen, size_t& nodes) {
  const auto row = left.first();
  if (!row) return true;
  if (most == 0 || ++nodes > kMostNodes) return false;
  std::vector<size_t> order;
  for (size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].rows->has(*row)) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return std::tuple(sets[b].rows->countIn(left), sets[a].cost) <
           std::tuple(sets[a].rows->countIn(left), sets[b].cost);
  });
  for (size_t each : order) {
    Bits rest = left;
    rest.remove(*sets[each].rows);
    chosen.push_back(each);
    if (coverWithin(sets, rest, most - 1, chosen, nodes)) return true;
    chosen.pop_back();
  }
  return false;
}

}  // namespace

std::optional<size_t> mostCovering(const std::vector<CoverSet>& sets, const Bits& wanted) {
  std::optional<size_t> most;
  std::pair<uint64_t, int64_t> score{0, 0};
  for (size_t i = 0; i < sets.size(); ++i) {
    const std::pair<uint64_t, int64_t> its{sets[i].rows->countIn(wanted), -int64_t{sets[i].cost}};
    if (its.first == 0 || its <= score) continue;
    most = i;
    score = its;
  }
  return most;
}

std::vector<size_t> smallerCover(const std::vector<CoverSet>& sets,
                                 const std::vector<size_t>& chosen) {
  if (chosen.empty()) return chosen;
  Bits all = *sets[chosen.front()].rows;
  for (size_t which : chosen) all |= *sets[which].rows;
  size_t nodes = 0;
  for (size_t most = 1; most < chosen.size(); ++most) {
    std::vector<size_t> fewer;
    if (coverWithin(sets, all, most, fewer, nodes)) return fewer;
  }
  return chosen;
}

}  // namespace dmlcts

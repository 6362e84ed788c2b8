#include "gpu/ways.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace dmlcts::gpu {
namespace {

constexpr std::string_view kAnd = " and ";  // in WayInfo::targets

// Calls call(way) for each of them, in the order of the table.
template <class Call>
void forEach(const Ways& ways, Call call) {
  for (size_t i = 0; i < kWays.size(); ++i) {
    if (ways.has(static_cast<Way>(i))) call(static_cast<Way>(i));
  }
}

}  // namespace

std::optional<Way> parseWay(std::string_view name) {
  for (size_t i = 0; i < kWays.size(); ++i) {
    if (kWays[i].name == name) return static_cast<Way>(i);
  }
  return std::nullopt;
}

size_t Ways::size() const { return static_cast<size_t>(std::popcount(bits_)); }

std::string name(const Ways& ways) {
  std::string text;
  forEach(ways,
          [&](Way way) { text += (text.empty() ? "" : ",") + std::string(wayInfo(way).name); });
  return text;
}

std::string conflictOf(const Ways& ways) {
  std::string conflict;
  forEach(ways, [&](Way one) {
    forEach(ways, [&](Way other) {
      const WayInfo& first = wayInfo(one);
      const WayInfo& second = wayInfo(other);
      if (one >= other || first.decides != second.decides || !conflict.empty()) return;
      conflict = std::string(first.name) + " and " + std::string(second.name) +
                 " exclude each other: both say " + std::string(first.decides);
    });
  });
  return conflict;
}

uint32_t executionsOf(const Ways& ways) {
  uint32_t executions = 1;
  forEach(ways, [&](Way way) { executions = std::max(executions, wayInfo(way).executions); });
  return executions;
}

std::string whoTakes(const WayInfo& info) {
  const bool several = info.targets.find(kAnd) != std::string_view::npos;
  return "only " + std::string(info.targets) + (several ? " take" : " takes");
}

bool takes(std::string_view target, Way way) {
  std::string_view rest = wayInfo(way).targets;
  for (size_t end = rest.find(kAnd); end != std::string_view::npos; end = rest.find(kAnd)) {
    if (rest.substr(0, end) == target) return true;
    rest.remove_prefix(end + kAnd.size());
  }
  return rest == target;
}

std::string whyNot(const Ways& ways, std::string_view target) {
  std::string why;
  forEach(ways, [&](Way way) {
    const WayInfo& info = wayInfo(way);
    if (takes(target, way) || !why.empty()) return;
    why = "via " + std::string(info.name) + ": " + whoTakes(info) + " this way; " +
          std::string(info.why);
  });
  return why;
}

const WayMutant* findWayMutant(std::string_view name) {
  if (name.empty()) return nullptr;
  const auto* found = std::ranges::find(kWayMutants, name, &WayMutant::name);
  if (found == std::end(kWayMutants)) {
    throw std::invalid_argument("no way mutant " + std::string(name));
  }
  return found;
}

}  // namespace dmlcts::gpu

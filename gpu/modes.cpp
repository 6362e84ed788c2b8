#include "gpu/modes.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace dmlcts::gpu {
namespace {

constexpr std::string_view kAnd = " and ";  // in ModeInfo::targets

// Calls call(mode) for each mode in the set, in table order.
template <class Call>
void forEach(const Modes& modes, Call call) {
  for (size_t i = 0; i < kModes.size(); ++i) {
    if (modes.has(static_cast<Mode>(i))) call(static_cast<Mode>(i));
  }
}

}  // namespace

std::optional<Mode> parseMode(std::string_view name) {
  for (size_t i = 0; i < kModes.size(); ++i) {
    if (kModes[i].name == name) return static_cast<Mode>(i);
  }
  return std::nullopt;
}

size_t Modes::size() const { return static_cast<size_t>(std::popcount(bits_)); }

std::string name(const Modes& modes) {
  std::string text;
  forEach(modes,
          [&](Mode mode) { text += (text.empty() ? "" : ",") + std::string(modeInfo(mode).name); });
  return text;
}

std::string conflictOf(const Modes& modes) {
  std::string conflict;
  forEach(modes, [&](Mode one) {
    forEach(modes, [&](Mode other) {
      const ModeInfo& first = modeInfo(one);
      const ModeInfo& second = modeInfo(other);
      if (one >= other || first.decides != second.decides || !conflict.empty()) return;
      conflict = std::string(first.name) + " and " + std::string(second.name) +
                 " cannot be combined: both set " + std::string(first.decides);
    });
  });
  return conflict;
}

uint32_t executionsOf(const Modes& modes) {
  uint32_t executions = 1;
  forEach(modes, [&](Mode mode) { executions = std::max(executions, modeInfo(mode).executions); });
  return executions;
}

std::string supportingTargets(const ModeInfo& info) {
  const bool several = info.targets.find(kAnd) != std::string_view::npos;
  return "only " + std::string(info.targets) + (several ? " take" : " takes");
}

bool takes(std::string_view target, Mode mode) {
  std::string_view rest = modeInfo(mode).targets;
  for (size_t end = rest.find(kAnd); end != std::string_view::npos; end = rest.find(kAnd)) {
    if (rest.substr(0, end) == target) return true;
    rest.remove_prefix(end + kAnd.size());
  }
  return rest == target;
}

std::string whyNot(const Modes& modes, std::string_view target) {
  std::string why;
  forEach(modes, [&](Mode mode) {
    if (!takes(target, mode)) why = "does not take mode " + std::string(modeInfo(mode).name);
  });
  return why;
}

const ModeMutant* findModeMutant(std::string_view name) {
  if (name.empty()) return nullptr;
  const auto* found = std::ranges::find(kModeMutants, name, &ModeMutant::name);
  if (found == std::end(kModeMutants)) {
    throw std::invalid_argument("no mode mutant " + std::string(name));
  }
  return found;
}

}  // namespace dmlcts::gpu

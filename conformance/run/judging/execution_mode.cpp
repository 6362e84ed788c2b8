#include "conformance/run/judging/execution_mode.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "conformance/facts/operators.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/nearest.h"
#include "conformance/operators/operators.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// Calls `call` for each name of an equivalent descriptor once.
template <class Call>
void forEachEquivalent(Call call) {
  std::vector<std::string_view> names;
  forEachEntry(kOperators, [&](const auto& entry) {
    for (const auto& each : entry.equivalents) {
      if (std::ranges::find(names, each.name) != names.end()) continue;
      names.push_back(each.name);
      call(each);
    }
  });
}

std::optional<Descriptor> equivalentOf(const Descriptor& from, std::string_view name) {
  return visitEntry(kOperators, from, [&](const auto& entry, const auto& op) {
    const auto found =
        std::ranges::find(entry.equivalents, name, [](const auto& d) { return d.name; });
    return found == entry.equivalents.end() ? std::optional<Descriptor>()
                                            : std::optional(found->descriptor(op));
  });
}

// True if both descriptors demand the same outcome: at the case's level, and on a device of the
// newest level that does not gate lower levels.
bool haveSameOutcome(const Case& testCase, const Descriptor& other) {
  if (factsOf(other).dataTypes(testCase.level).empty()) return false;  // no such operator
  const auto mustReject = [](const Descriptor& descriptor, Level level) {
    const auto broken = check(descriptor, level);
    return std::ranges::any_of(
        broken, [](const BrokenRule& each) { return each.rule->checked == Checked::ByRejecting; });
  };
  for (Level level : {testCase.level, kLevels.back()}) {
    if (mustReject(testCase.descriptor, level) != mustReject(other, level)) return false;
  }
  return testCase.expect == Expect::Reject || check(other, testCase.level).empty();
}

// Groups the names of modes by the value of `member`.
std::vector<std::pair<gpu::ModeInfo, std::string>> groupedBy(
    std::string_view gpu::ModeInfo::* member) {
  std::vector<std::pair<gpu::ModeInfo, std::string>> groups;
  for (const gpu::ModeInfo& info : gpu::kModes) {
    const auto same = std::ranges::find_if(
        groups, [&](const auto& group) { return group.first.*member == info.*member; });
    if (same == groups.end()) {
      groups.emplace_back(info, info.name);
    } else {
      same->second += fmt::format(", {}", info.name);
    }
  }
  return groups;
}

}  // namespace

std::vector<std::string_view> modeNames() {
  std::vector<std::string_view> names;
  forEachEquivalent([&](const auto& equivalent) { names.push_back(equivalent.name); });
  for (const gpu::ModeInfo& info : gpu::kModes) names.push_back(info.name);
  return names;
}

std::string modeTable() {
  std::string table;
  forEachEquivalent([&](const auto& equivalent) {
    table += fmt::format("{:<16} {}\n", equivalent.name, equivalent.what);
  });
  for (const gpu::ModeInfo& info : gpu::kModes) {
    table += fmt::format("{:<16} {}\n", info.name, info.what);
  }
  for (const auto& [info, names] : groupedBy(&gpu::ModeInfo::decides)) {
    if (names.find(',') == names.npos) continue;
    table += fmt::format("{} cannot be combined: each sets {}\n", names, info.decides);
  }
  for (const auto& [info, names] : groupedBy(&gpu::ModeInfo::why)) {
    if (info.targets.empty()) continue;
    table += fmt::format("{} {}: {}\n", gpu::supportingTargets(info), names, info.why);
  }
  return table;
}

ExecutionMode::ExecutionMode(std::string_view text) {
  const auto names = modeNames();
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    const auto known = std::ranges::find(names, name);
    if (known == names.end()) {
      throw std::invalid_argument(fmt::format("there is no mode \"{}\", only {}{}", name,
                                              fmt::join(names, ", "), didYouMean(name, names)));
    }
    const auto execution = gpu::parseMode(name);
    const bool again = execution ? executions_.has(*execution)
                                 : std::ranges::find(equivalents_, name) != equivalents_.end();
    if (again) throw std::invalid_argument(fmt::format("the mode \"{}\" twice", name));
    if (execution) {
      executions_.add(*execution);
    } else {
      equivalents_.push_back(*known);
    }
    begin = end + 1;
  }
  if (const std::string conflict = gpu::conflictOf(executions_); !conflict.empty()) {
    throw std::invalid_argument(conflict);
  }
}

std::string ExecutionMode::text() const {
  std::string text = fmt::format("{}", fmt::join(equivalents_, ","));
  const std::string executions = gpu::name(executions_);
  return text + (text.empty() || executions.empty() ? "" : ",") + executions;
}

std::optional<Descriptor> ExecutionMode::descriptor(const Case& testCase) const {
  if (modeProblem(testCase, executions_)) return std::nullopt;
  Descriptor asked = testCase.descriptor;
  for (std::string_view name : equivalents_) {
    const auto next = equivalentOf(asked, name);
    if (!next) return std::nullopt;
    asked = *next;
  }
  if (!equivalents_.empty() && !haveSameOutcome(testCase, asked)) return std::nullopt;
  return asked;
}

}  // namespace dmlcts

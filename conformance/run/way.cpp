#include "conformance/run/way.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "conformance/cases/operators.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

std::optional<Descriptor> detour(const Descriptor& from, std::string_view name) {
  return visitEntry(kCaseTable, from, [&](const auto& entry, const auto& op) {
    const auto found = std::ranges::find(entry.detours, name, [](const auto& d) { return d.name; });
    return found == entry.detours.end() ? std::optional<Descriptor>()
                                        : std::optional(found->descriptor(op));
  });
}

// Whether the same must come of both: where a case is executed, or rejected at its level, and also
// by a device of the newest level that has no gate for others.
bool askTheSame(const Case& testCase, const Descriptor& other) {
  if (factsOf(other).dataTypes(testCase.level).empty()) return false;  // there is no such operator
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

}  // namespace

std::vector<std::string_view> wayNames() {
  std::vector<std::string_view> names;
  forEachEntry(kCaseTable, [&](const auto& entry) {
    for (const auto& each : entry.detours) {
      if (std::ranges::find(names, each.name) == names.end()) names.push_back(each.name);
    }
  });
  return names;
}

Way::Way(std::string_view text) : text_(text) {
  const auto names = wayNames();
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    const auto known = std::ranges::find(names, name);
    if (known == names.end()) {
      throw std::invalid_argument(
          fmt::format("there is no way \"{}\", only {}", name, fmt::join(names, ", ")));
    }
    if (std::ranges::find(detours_, name) != detours_.end()) {
      throw std::invalid_argument(fmt::format("the way \"{}\" twice", name));
    }
    detours_.push_back(*known);
    begin = end + 1;
  }
}

std::optional<Descriptor> Way::descriptor(const Case& testCase) const {
  Descriptor asked = testCase.descriptor;
  for (std::string_view name : detours_) {
    const auto next = detour(asked, name);
    if (!next) return std::nullopt;
    asked = *next;
  }
  if (!detours_.empty() && !askTheSame(testCase, asked)) return std::nullopt;
  return asked;
}

}  // namespace dmlcts

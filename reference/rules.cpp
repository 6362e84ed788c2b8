#include "reference/rules.h"

#include <algorithm>

#include "reference/checker.h"
#include "reference/operators.h"

namespace dmlcts {

std::string_view name(Standing standing) {
  switch (standing) {
    case Standing::Documented:
      return "documented";
    case Standing::Inferred:
      return "inferred";
    case Standing::Ours:
      return "ours";
  }
  return "";
}

std::span<const Rule> rules() {
  static const std::vector<Rule> all = [] {
    const auto tensor = tensorRules();
    std::vector<Rule> joined(tensor.begin(), tensor.end());
    forEachEntry(kOracle, [&](const auto& entry) {
      const auto ledger = entry.rules();
      joined.insert(joined.end(), ledger.begin(), ledger.end());
    });
    return joined;
  }();
  return all;
}

const Rule* findRule(std::string_view id) {
  const auto found = std::ranges::find(rules(), id, &Rule::id);
  return found == rules().end() ? nullptr : &*found;
}

std::vector<BrokenRule> check(const Descriptor& descriptor, Level level) {
  return visitEntry(kOracle, descriptor,
                    [level](const auto& entry, const auto& op) { return entry.check(op, level); });
}

}  // namespace dmlcts

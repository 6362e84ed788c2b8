#include "reference/rules.h"

#include <algorithm>

#include "reference/checker.h"
#include "reference/gather_nd.h"
#include "reference/nonzero_coordinates.h"

namespace dmlcts {

std::span<const Rule> rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> joined;
    for (auto ledger : {tensorRules(), gatherNdRules(), nonzeroCoordinatesRules()}) {
      joined.insert(joined.end(), ledger.begin(), ledger.end());
    }
    return joined;
  }();
  return all;
}

const Rule* findRule(std::string_view id) {
  const auto found = std::ranges::find(rules(), id, &Rule::id);
  return found == rules().end() ? nullptr : &*found;
}

namespace {

std::vector<BrokenRule> checkOperator(const GatherNd& op, Level level) {
  return checkGatherNd(op, level);
}

std::vector<BrokenRule> checkOperator(const NonzeroCoordinates& op, Level level) {
  return checkNonzeroCoordinates(op, level);
}

}  // namespace

std::vector<BrokenRule> check(const Descriptor& descriptor, Level level) {
  return std::visit([level](const auto& op) { return checkOperator(op, level); }, descriptor);
}

}  // namespace dmlcts

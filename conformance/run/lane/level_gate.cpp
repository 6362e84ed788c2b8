#include "conformance/run/lane/level_gate.h"

#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "conformance/inputs/problems.h"
#include "conformance/tiers/tiers.h"

namespace dmlcts {

bool LevelGate::ask(const std::function<bool()>& over) {
  if (known_) return *known_;
  bool found = false;
  const Level highest = worker_.identity().maxLevel;
  std::set<std::tuple<std::string, Level, std::string_view>> asked;
  for (const Case& probe : cases(Tier::Smoke)) {
    if (over()) return false;
    if (found || worker_.tooManyLost()) break;
    if (!rejectedByLevelOnly(probe, highest) || !options_.mode.descriptor(probe) ||
        exchange_.whyNotSent(probe) ||
        !asked.emplace(probe.rejectBy, probe.level, operatorName(probe.descriptor)).second) {
      continue;
    }
    Batch alone(1);
    exchange_.prepareItem(alone.front(), probe);
    std::vector<gpu::Answer> answers;
    if (const auto failure = exchange_.runOnce(alone, answers)) {
      worker_.report("while its level gate was looked for", *failure);
    } else {
      found = exchange_.judge(alone.front(), answers).judgement.verdict == Verdict::Pass;
    }
  }
  known_ = found;
  return found;
}

}  // namespace dmlcts

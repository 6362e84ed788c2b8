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
    Batch alone{RunningCase(probe)};
    exchange_.prepareCase(alone.front());
    BatchOutcome outcome = exchange_.runOnce(alone);
    if (const auto* failure = std::get_if<WorkerFailure>(&outcome)) {
      worker_.report("while its level gate was looked for", *failure);
    } else {
      const auto attempts = exchange_.judge(alone, std::get<Executed>(std::move(outcome)));
      found = attempts.front().judgement.verdict == Verdict::Pass;
    }
  }
  known_ = found;
  return found;
}

}  // namespace dmlcts

// Every rule that a descriptor can break, broken alone, for every documented data type, dimension
// count and level. Beside each is the valid control descriptor, which must execute.

#include <algorithm>

#include "conformance/families/families.h"
#include "conformance/families/family_parts.h"
#include "conformance/families/rejections/broken.h"
#include "conformance/language/build.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

constexpr size_t kRejectionsPerCell = 3;  // cells take turns through the rules

// True if at that level a rule starts to hold, or one no longer holds.
bool changesRules(const CaseList& list, Level level) {
  return std::ranges::any_of(rules(), [&](const Rule& rule) {
    const bool ours = std::ranges::any_of(list.operators(), [&](const OperatorFacts* op) {
      return rule.id.starts_with(std::string(op->name) + '.');
    });
    const auto next = std::ranges::find(kLevels, rule.through) + 1;
    return ours && (rule.from == level || (next != kLevels.end() && *next == level));
  });
}

// Groups consecutive levels with the same rules: one rejection is valid at all levels of a group.
std::vector<std::vector<Level>> eras(const CaseList& list) {
  std::vector<std::vector<Level>> all;
  for (Level level : kLevels) {
    if (all.empty() || changesRules(list, level)) all.emplace_back();
    all.back().push_back(level);
  }
  return all;
}

// Each rule once, with the control that breaks it: the first suitable one in even cells, the last
// in odd cells.
struct Chosen {
  const BreakableDescriptor* control;
  const Broken* broken;
};
std::vector<Chosen> chosenFor(const std::vector<BreakableDescriptor>& controls, uint64_t cell) {
  std::vector<Chosen> all;
  for (size_t turn = 0; turn < controls.size(); ++turn) {
    const BreakableDescriptor& control = controls[(cell + turn) % controls.size()];
    for (const Broken& broken : control.broken) {
      const bool done = std::ranges::any_of(
          all, [&](const Chosen& each) { return each.broken->rule == broken.rule; });
      if (!done) all.push_back({&control, &broken});
    }
  }
  return all;
}

// Adds the valid controls of a cell, and after each its share of the rules. Cells rotate through
// variants.
void addCell(CaseList& list, const FamilyParts& parts, Level level,
             const std::vector<BreakableDescriptor>& controls, uint64_t cell) {
  const std::vector<Chosen> chosen = chosenFor(controls, cell);
  const size_t most = std::min(kRejectionsPerCell, chosen.size());
  const size_t first = cell * most % chosen.size();
  for (size_t turn = 0; turn < controls.size(); ++turn) {
    const BreakableDescriptor& control = controls[(cell + turn) % controls.size()];
    list.execute(level, control.control, fill(parts.controlFill));
    for (size_t i = 0; i < chosen.size(); ++i) {
      const bool isTaken = (i + chosen.size() - first) % chosen.size() < most;
      if (chosen[i].control != &control || !isTaken) continue;
      const Broken& broken = *chosen[i].broken;
      list.reject(level, rotate(broken.variants, cell / 2), broken.rule);
    }
  }
}

}  // namespace

void addRejections(CaseList& list) {
  uint64_t cell = 0;
  for (const std::vector<Level>& era : eras(list)) {
    const Level first = era.front();
    for (DataType type : everyType()) {
      for (const OperatorFacts* op : list.operators()) {
        const auto types = op->dataTypes(first);
        if (std::ranges::find(types, type) == types.end()) continue;
        for (uint32_t rank : op->dimensionCounts(first)) {
          const auto controls = partsOf(*op).breakable(type, rank, first);
          for (Level level : era) addCell(list, partsOf(*op), level, controls, cell++);
        }
      }
    }
  }
}

}  // namespace dmlcts

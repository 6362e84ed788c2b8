// Every rule that a descriptor can break, broken alone, for every documented data type, dimension
// count and level, beside the valid descriptor that it was made from, which must execute.

#include <algorithm>

#include "conformance/cases/families/broken.h"
#include "conformance/cases/families/build.h"
#include "conformance/cases/families/families.h"

namespace dmlcts {
namespace {

// Consecutive levels between which no rule changes, so that what is broken at one of them is at
// all of them.
std::vector<std::vector<Level>> eras() {
  std::vector<std::vector<Level>> all;
  for (Level level : kLevels) {
    const bool isNew = level == Level::L2_1 || level == Level::L3_0 || level == Level::L4_0;
    if (isNew) all.emplace_back();
    all.back().push_back(level);
  }
  return all;
}

// The valid controls of a cell, and each rule once: from the first control that can break it in
// even cells, from the last in odd ones, and another of its variants in every cell.
void addCell(CaseList& list, Level level, const std::vector<BreakableDescriptor>& controls,
             const Fill& fill, uint64_t cell) {
  std::vector<std::string_view> done;
  for (size_t turn = 0; turn < controls.size(); ++turn) {
    const BreakableDescriptor& control = controls[(cell + turn) % controls.size()];
    list.execute(level, control.control, fill);
    for (const Broken& broken : control.broken) {
      if (std::ranges::find(done, broken.rule) != done.end()) continue;
      list.reject(level, rotate(broken.variants, cell / 2), broken.rule);
      done.push_back(broken.rule);
    }
  }
}

}  // namespace

void addRejections(CaseList& list) {
  uint64_t cell = 0;
  for (const std::vector<Level>& era : eras()) {
    const Level first = era.front();
    for (DataType type : documentedTypes()) {
      for (uint32_t rank : gatherRanks(first)) {
        const auto controls = breakableGather(type, rank, first);
        for (Level level : era) addCell(list, level, controls, fill(FillKind::Unique), cell++);
      }
      for (uint32_t rank : nonzeroRanks(first)) {
        const auto controls = breakableNonzero(type, rank, first);
        for (Level level : era) addCell(list, level, controls, fill(FillKind::All), cell++);
      }
    }
  }
}

}  // namespace dmlcts

// Each execution mode alone, with a few cells of the matrix for each operator. Types, dimension
// counts and levels take turns.

#include "conformance/facts/operators.h"
#include "conformance/families/families.h"
#include "conformance/families/family_parts.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

constexpr uint64_t kCells = 3;  // per mode and operator

// A graph whose NONZERO_COORDINATES makes the indices needs indices that are all coordinates.
template <class Operator>
void addGatherGraph(CaseList& list, Level level, DataType type) {
  constexpr uint64_t kWithoutBatches = 1;
  list.execute(level,
               makeVaried<Operator>(type, DataType::UInt32, 3, {3, 4, 5}, {12}, 2, kWithoutBatches),
               fill(FillKind::Unique), index(IndexKind::Identity));
}

void addGraphsOfTwo(CaseList& list) {
  uint64_t i = 0;
  for (const DataType type : everyType()) {
    for (const OperatorFacts* op : list.operators()) {
      const Level level = kLevels[kLevels.size() - 1 - i++ % 4];
      visitKind(
          *op,
          [&]<class Operator>(const Operator&) { addGatherGraph<Operator>(list, level, type); },
          kNoCases);
    }
  }
}

// One case, because it takes as long as thousands.
void addEndurance(CaseList& list) {
  if (list.edition() > 1) return;
  const FamilyParts& parts = partsOf(*list.operators().front());
  list.execute(kNewestLevel, parts.breakable(DataType::Float32, 1, kNewestLevel).front().control,
               fill(parts.controlFill));
}

void addCells(CaseList& list, uint64_t turn) {
  for (const OperatorFacts* op : list.operators()) {
    for (uint64_t cell = turn * kCells; cell < (turn + 1) * kCells; ++cell) {
      const Level level = kLevels[kLevels.size() - 1 - cell % 4];
      const auto types = op->dataTypes(level);
      const auto ranks = op->dimensionCounts(level);
      addMatrixCell(list, *op, level, types[cell % types.size()], ranks[cell % ranks.size()]);
    }
  }
}

}  // namespace

void addModes(CaseList& list) {
  for (size_t i = 0; i < gpu::kModes.size(); ++i) {
    const auto mode = static_cast<gpu::Mode>(i);
    gpu::Modes modes;
    modes.add(mode);
    const size_t first = list.size();
    if (mode == gpu::Mode::NonzeroGraph) {
      addGraphsOfTwo(list);
    } else if (mode == gpu::Mode::Endurance) {
      addEndurance(list);
    } else {
      addCells(list, i);
    }
    list.setModes(first, modes);
  }
}

}  // namespace dmlcts

// Each execution mode alone, with a few cells of the matrix for each operator. Types, dimension
// counts and levels take turns.

#include "conformance/cases/families/build.h"
#include "conformance/cases/families/families.h"
#include "conformance/cases/operators.h"

namespace dmlcts {
namespace {

constexpr uint64_t kCells = 3;  // per mode and operator

// A graph whose NONZERO_COORDINATES makes the indices needs indices that are all coordinates.
void addGraphsOfTwo(CaseList& list) {
  uint64_t i = 0;
  for (const DataType type : everyType()) {
    for (const OperatorFacts* op : list.operators()) {
      const Level level = kLevels[kLevels.size() - 1 - i++ % 4];
      const auto add = [&](Descriptor descriptor) {
        list.execute(level, std::move(descriptor), fill(FillKind::Unique),
                     index(IndexKind::Identity));
      };
      if (op->name == GatherNd::name) {
        add(makeGather(type, DataType::UInt32, 3, {3, 4, 5}, {12}, 2));
      } else if (op->name == GatherNd1::name) {
        add(makeGather1(type, DataType::UInt32, 3, {3, 4, 5}, {12}, 2, 0));
      }
    }
  }
}

void addCells(CaseList& list, uint64_t turn) {
  for (const OperatorFacts* op : list.operators()) {
    for (uint64_t cell = turn * kCells; cell < (turn + 1) * kCells; ++cell) {
      const Level level = kLevels[kLevels.size() - 1 - cell % 4];
      const auto types = op->dataTypes(level);
      const auto ranks = op->dimensionCounts(level);
      op->families->matrix(list, level, types[cell % types.size()], ranks[cell % ranks.size()]);
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
    } else {
      addCells(list, i);
    }
    list.setModes(first, modes);
  }
}

}  // namespace dmlcts

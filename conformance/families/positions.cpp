// Positions and number of NONZERO_COORDINATES' non-zero elements: none, first, last, every second,
// runs, block borders, and every density. Lengths end inside and at the borders of words and tiles.

#include "conformance/families/families.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

const std::vector<Fill>& fills() {
  static const std::vector<Fill> all{fill(FillKind::Zeros),
                                     fill(FillKind::MinusZero),
                                     fill(FillKind::First),
                                     fill(FillKind::Last),
                                     fill(FillKind::All),
                                     fill(FillKind::Alternate),
                                     fill(FillKind::Single, 31),
                                     fill(FillKind::Single, 32),
                                     fill(FillKind::Single, 127),
                                     fill(FillKind::Single, 255),
                                     fill(FillKind::Single, 256),
                                     fill(FillKind::Runs, 2),
                                     fill(FillKind::Runs, 7),
                                     fill(FillKind::Runs, 32),
                                     fill(FillKind::Runs, 256),
                                     fill(FillKind::Edges, 32),
                                     fill(FillKind::Edges, 64),
                                     fill(FillKind::Edges, 256),
                                     fill(FillKind::Edges, 1024),
                                     density(1'000),
                                     density(10'000),
                                     density(100'000),
                                     density(500'000),
                                     density(900'000),
                                     density(990'000)};
  return all;
}

// One tensor per entry; only the product of the sizes matters.
const std::vector<Sizes> kPositionShapes{{1},
                                         {2},
                                         {31},
                                         {32},
                                         {33},
                                         {5, 13},
                                         {127},
                                         {2, 64},
                                         {3, 43},
                                         {255},
                                         {16, 16},
                                         {257},
                                         {1000},
                                         {3, 11, 31},
                                         {32, 32},
                                         {1025},
                                         {2, 3, 4, 5, 6},
                                         {2047},
                                         {4, 16, 32},
                                         {4095},
                                         {2, 2048},
                                         {17, 241},
                                         {64, 65},
                                         {7, 9, 11, 13}};

void addNonzeroPositions(CaseList& list) {
  uint64_t i = 0;
  for (const Sizes& sizes : kPositionShapes) {
    for (const Fill& positions : fills()) {
      for (uint64_t variation = 0; variation < 2; ++variation, ++i) {
        const auto rank = static_cast<uint32_t>(sizes.size());
        list.execute(rotate(nonzeroLevels(rank), i),
                     makeNonzero(rotate(documentedTypes(), i / 2 + 3 * variation), sizes, rank),
                     positions, {}, variation);
        // Most of 9,009 elements are non-zero, in four columns. No other smoke case is so dense.
        if (&sizes == &kPositionShapes.back() && &positions == &fills().back()) list.keepInSmoke();
      }
    }
  }
}

}  // namespace

void addPositions(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    visitKind(*op, kNoCases, [&](const auto&) { addNonzeroPositions(list); });
  }
}

}  // namespace dmlcts

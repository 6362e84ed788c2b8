#include "fuzz/descriptors.h"

#include <algorithm>

#include "conformance/cases/families/build.h"
#include "fuzz/shapes.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

uint64_t count(const Sizes& sizes) { return elementCount(sizes).value(); }

template <class Op>
void layOutAll(Choice& choice, Op& op) {
  if (choice.oneIn(4)) return;  // packed throughout
  const auto slots = tensors(op);
  for (const TensorSlot& slot : slots) {
    layOut(choice, const_cast<TensorDesc&>(*slot.desc), slot.isOutput);  // of our own descriptor
  }
}

}  // namespace

Level drawLevel(Choice& choice, Level from) {
  const auto first = std::ranges::find(kLevels, from);
  if (choice.oneIn(2)) {
    return *(first +
             static_cast<ptrdiff_t>(choice.below(static_cast<uint64_t>(kLevels.end() - first))));
  }
  const Level level = choice.of({Level::L2_1, Level::L3_0, Level::L3_1, Level::L4_0, Level::L6_4});
  return std::max(level, from);
}

GatherNd drawGatherNd(Choice& choice, Level level, int size) {
  const uint32_t rank = choice.of(gatherRanks(level));
  const uint32_t inputRank = choice.between(1, rank);
  const uint32_t tupleSize = choice.between(1, inputRank);
  const uint32_t blockRank = inputRank - tupleSize;
  const uint32_t tupleAxes = choice.between(0, std::min(rank - 1, rank - blockRank));

  const uint64_t budget = elementBudget(choice, size);
  const Sizes block = drawSizes(choice, blockRank, budget);
  const Sizes indexed = drawSizes(choice, tupleSize, std::max<uint64_t>(1, budget / count(block)));
  const Sizes tuples = drawSizes(choice, tupleAxes, std::max<uint64_t>(1, budget / count(block)));
  GatherNd op = makeGather(choice.of(documentedTypes()), choice.of(indexTypes(level)), rank,
                           concatenated(indexed, block), tuples, tupleSize);
  layOutAll(choice, op);
  return op;
}

NonzeroCoordinates drawNonzeroCoordinates(Choice& choice, Level level, int size) {
  const uint32_t rank = choice.of(nonzeroRanks(level));
  const uint32_t leadingOnes = choice.oneIn(2) ? choice.between(0, rank) : 0;
  const Sizes input =
      rightAligned(drawSizes(choice, rank - leadingOnes, elementBudget(choice, size)), rank);
  const uint32_t columns = choice.between(std::max(1u, effectiveRank(input)), rank);
  const DataType type = choice.of(documentedTypes());
  const bool anyRanks = level >= Level::L4_0;
  NonzeroCoordinates op =
      anyRanks ? makeNonzero(type, input, columns, choice.between(1, 8), choice.between(2, 8))
               : makeNonzero(type, input, columns);
  layOutAll(choice, op);
  return op;
}

Descriptor drawDescriptor(Choice& choice, Level level, int size) {
  if (level < Level::L3_0 || choice.oneIn(2)) return drawGatherNd(choice, level, size);
  return drawNonzeroCoordinates(choice, level, size);
}

}  // namespace dmlcts

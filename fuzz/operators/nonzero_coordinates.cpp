#include "fuzz/operators/nonzero_coordinates.h"

#include <algorithm>

#include "conformance/cases/families/build.h"
#include "conformance/cases/layout.h"
#include "fuzz/resize.h"
#include "fuzz/shapes.h"
#include "fuzz/smaller_sizes.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {

NonzeroCoordinates drawNonzeroCoordinates(Choice& choice, Level level, int size) {
  const uint32_t rank = choice.of(nonzeroRanks(level));
  const uint32_t leadingOnes = choice.oneIn(2) ? choice.between(0, rank) : 0;
  const Sizes input =
      rightAligned(drawSizes(choice, rank - leadingOnes, elementBudget(choice, size)), rank);
  const uint32_t columns = choice.between(std::max(1u, effectiveRank(input)), rank);
  const DataType type = choice.of(documentedTypes());
  const bool anyRanks = level >= Level::L4_0;
  return anyRanks ? makeNonzero(type, input, columns, choice.between(1, 8), choice.between(2, 8))
                  : makeNonzero(type, input, columns);
}

NonzeroCoordinates hugeNonzeroCoordinates(uint32_t elements) {
  return makeNonzero(DataType::UInt8, {elements}, 1);
}

std::vector<Descriptor> plainerNonzeroCoordinates(const NonzeroCoordinates& op) {
  std::vector<Descriptor> all;
  const Sizes& sizes = op.input.sizes;
  const auto count = elementCount(sizes);
  if (!count || *count > kMostPlainElements) return all;
  if (sizes.size() > 1) {
    all.emplace_back(makeNonzero(op.input.type, {static_cast<uint32_t>(*count)}, 1, 1, 2));
  }
  forSmaller(sizes, [&](const Sizes& smaller) {
    const auto rank = static_cast<uint32_t>(sizes.size());
    const uint32_t columns =
        std::clamp(op.coords.sizes.back(), std::max(1u, effectiveRank(smaller)), rank);
    all.emplace_back(makeNonzero(op.input.type, smaller, columns, op.count.sizes.size(),
                                 op.coords.sizes.size()));
  });
  if (sizes.size() == 1) return all;
  forFewer(sizes, [&](const Sizes& fewer, size_t) {
    const auto rank = static_cast<uint32_t>(fewer.size());
    for (uint32_t columns : {op.coords.sizes.back() - 1, op.coords.sizes.back()}) {
      if (columns >= std::max(1u, effectiveRank(fewer)) && columns <= rank) {
        all.emplace_back(makeNonzero(op.input.type, fewer, columns, 1, 2));
        all.emplace_back(makeNonzero(op.input.type, fewer, columns));
      }
    }
  });
  return all;
}

void keepRows(const NonzeroCoordinates& before, NonzeroCoordinates& after) {
  if (before.coords.sizes.size() < 2 || after.coords.sizes.size() < 2) return;
  const auto rows = [](const NonzeroCoordinates& op) -> uint32_t {
    return op.coords.sizes[op.coords.sizes.size() - 2];
  };
  const auto oldCount = elementCount(before.input.sizes);
  const auto newCount = elementCount(after.input.sizes);
  if (!oldCount || !newCount || *oldCount != rows(before)) return;
  const uint64_t excess = after.coords.totalBytes - defaultTotalBytes(after.coords);
  after.coords.sizes[after.coords.sizes.size() - 2] = static_cast<uint32_t>(*newCount);
  after.coords.totalBytes = defaultTotalBytes(after.coords) + excess;
}

void fewerColumns(const NonzeroCoordinates& op, std::vector<Descriptor>& all) {
  if (op.coords.sizes.empty() || op.coords.sizes.back() < 2) return;
  for (size_t axis = 0; axis <= op.input.sizes.size(); ++axis) {
    NonzeroCoordinates changed = op;
    changeShape(changed.input, [&](TensorDesc& tensor) { dropAxis(tensor, axis); });
    changeShape(changed.coords, [](TensorDesc& tensor) { tensor.sizes.back() -= 1; });
    all.emplace_back(std::move(changed));
  }
}

void keepRowsWithinCount(const NonzeroCoordinates& op, Outputs& outputs) {
  const uint64_t rows = loadBits(outputs[0], 0, 4);
  const uint64_t bytes = rows * op.coords.sizes.back() * 4;
  outputs[1].resize(std::min<uint64_t>(bytes, outputs[1].size()));
}

}  // namespace dmlcts

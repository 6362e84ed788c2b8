#include "conformance/operators/nonzero_coordinates.h"

#include <algorithm>

#include "conformance/facts/operators/nonzero_coordinates.h"
#include "conformance/operators/resize.h"
#include "conformance/operators/smaller_sizes.h"
#include "reference/tensor.h"

namespace dmlcts {

NonzeroCoordinates generateNonzeroCoordinates(Choices& choices, const Wanted& wanted) {
  const uint32_t rank = at(wanted.labels, Parameter::Rank);
  const uint8_t attributes = at(wanted.labels, Parameter::Attributes);
  const bool any = attributes == kAny;
  const uint32_t mostOnes = rank - (attributes == AllColumns ? 0 : 1);
  const uint32_t ones = any && choices.oneIn(2) ? 0 : choices.between(0, mostOnes);
  const uint64_t elements = drawElements(choices, wanted);
  const Sizes input = rightAligned(choices.sizes(rank - ones, elements), rank);
  const uint32_t fewest = std::max(1u, effectiveRank(input));
  const uint32_t columns = attributes == AllColumns      ? rank
                           : attributes == FewestColumns ? fewest
                                                         : choices.between(fewest, rank);
  const auto type = static_cast<DataType>(at(wanted.labels, Parameter::InputType));
  // Before 4.0 the outputs have the input's dimension count.
  if (kLevels[at(wanted.labels, Parameter::Level)] < Level::L4_0)
    return makeNonzero(type, input, columns);
  const uint32_t coordsRank = choices.between(2, 8);
  return makeNonzero(type, input, columns, choices.between(1, 8), coordsRank);
}

std::vector<Descriptor> simplerNonzeroCoordinates(const NonzeroCoordinates& op) {
  std::vector<Descriptor> all;
  const Sizes& sizes = op.input.sizes;
  const auto count = elementCount(sizes);
  if (!count || *count > kMostPlainElements) return all;
  const uint32_t columns = op.coords.sizes.back();
  const size_t countRank = op.count.sizes.size();
  const size_t coordsRank = op.coords.sizes.size();
  const auto add = [&](const Sizes& input, uint32_t each, size_t ofCount, size_t ofCoords) {
    const uint32_t fewest = std::max(1u, effectiveRank(input));
    const auto most = static_cast<uint32_t>(input.size());
    all.emplace_back(
        makeNonzero(op.input.type, input, std::clamp(each, fewest, most), ofCount, ofCoords));
  };
  if (sizes.size() > 1) add({static_cast<uint32_t>(*count)}, 1, 1, 2);
  forSmaller(sizes,
             [&](const Sizes& smaller, size_t) { add(smaller, columns, countRank, coordsRank); });
  if (sizes.size() > 1) {
    forFewer(sizes, [&](const Sizes& fewer, size_t) {
      for (uint32_t each : {columns - 1, columns}) {
        add(fewer, each, 1, 2);
        add(fewer, each, fewer.size(), std::max<size_t>(2, fewer.size()));
      }
    });
  }
  if (countRank > 1) add(sizes, columns, countRank - 1, coordsRank);
  if (coordsRank > 2) add(sizes, columns, countRank, coordsRank - 1);
  if (columns > 1) add(sizes, columns - 1, countRank, coordsRank);
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

}  // namespace dmlcts

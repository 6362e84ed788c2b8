// Breaks NONZERO_COORDINATES descriptors of a documented data type and dimension count, one rule at
// a time.

#include <algorithm>

#include "conformance/families/nonzero_parts.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using NonzeroBreaks = Breaks<NonzeroCoordinates>;

void addTypes(NonzeroBreaks& breaks) {
  for (const DataTypeInfo& type : kDataTypes) {
    if (type.type == DataType::Unknown || type.type == DataType::UInt32) continue;
    breaks.add("nonzero_coordinates.count-type",
               [&](NonzeroCoordinates& wrong) { retype(wrong.count, type.type); });
    breaks.add("nonzero_coordinates.coords-type",
               [&](NonzeroCoordinates& wrong) { retype(wrong.coords, type.type); });
  }
}

void addDimensionCounts(NonzeroBreaks& breaks, const NonzeroCoordinates& op, Level level) {
  const Sizes rowsAndColumns(op.coords.sizes.end() - 2, op.coords.sizes.end());
  if (level < Level::L4_0) {
    // 4 and 5 dimensions are allowed; this is the other one.
    const size_t other = 9 - op.input.sizes.size();
    breaks.add("nonzero_coordinates.dimension-counts",
               [&](NonzeroCoordinates& wrong) { resize(wrong.count, Sizes(other, 1)); });
    breaks.add("nonzero_coordinates.dimension-counts", [&](NonzeroCoordinates& wrong) {
      resize(wrong.coords, rightAligned(rowsAndColumns, other));
    });
    return;
  }
  breaks.add("nonzero_coordinates.rank",
             [&](NonzeroCoordinates& wrong) { resize(wrong.count, Sizes(9, 1)); });
  breaks.add("nonzero_coordinates.rank", [&](NonzeroCoordinates& wrong) {
    resize(wrong.coords, rightAligned(rowsAndColumns, 9));
  });
  breaks.add("nonzero_coordinates.rank",
             [](NonzeroCoordinates& wrong) { resize(wrong.count, {}); });
  breaks.add("nonzero_coordinates.rank",
             [&](NonzeroCoordinates& wrong) { resize(wrong.coords, {rowsAndColumns[0]}); });
}

void addSizes(NonzeroBreaks& breaks, const NonzeroCoordinates& op) {
  const uint32_t inputRank = static_cast<uint32_t>(op.input.sizes.size());
  const size_t coordsRank = op.coords.sizes.size();
  const uint32_t rows = op.coords.sizes[coordsRank - 2];

  // Zero elements and zero rows are consistent with each other. Keeps leading dimensions, because
  // their sizes decide the effective rank.
  breaks.add("tensor.sizes-nonzero", [&](NonzeroCoordinates& wrong) {
    resize(wrong.input, withSize(wrong.input.sizes, inputRank - 1, 0));
    resize(wrong.coords, withSize(wrong.coords.sizes, coordsRank - 2, 0));
  });

  for (size_t axis = 0; axis < op.count.sizes.size(); ++axis) {
    breaks.add("nonzero_coordinates.count-scalar", [&](NonzeroCoordinates& wrong) {
      resize(wrong.count, withSize(wrong.count.sizes, axis, 2));
    });
  }

  for (uint32_t wrongRows : {rows - 1, rows + 1, 1u, 2 * rows, rows + 65'536}) {
    breaks.add("nonzero_coordinates.coords-rows", [&](NonzeroCoordinates& wrong) {
      resize(wrong.coords, withSize(wrong.coords.sizes, coordsRank - 2, wrongRows));
    });
  }

  const uint32_t fewest = std::max(1u, effectiveRank(op.input.sizes));
  for (uint32_t wrongColumns : {inputRank + 1, fewest - 1, inputRank + 2, 64u}) {
    if (wrongColumns == 0) continue;  // would break tensor.sizes-nonzero as well
    breaks.add("nonzero_coordinates.coords-columns", [&](NonzeroCoordinates& wrong) {
      resize(wrong.coords, withSize(wrong.coords.sizes, coordsRank - 1, wrongColumns));
    });
  }

  for (size_t axis = 0; axis + 2 < coordsRank; ++axis) {
    breaks.add("nonzero_coordinates.coords-leading-ones", [&](NonzeroCoordinates& wrong) {
      resize(wrong.coords, withSize(wrong.coords.sizes, axis, 2));
    });
  }
}

void addOverlaps(NonzeroBreaks& breaks, const NonzeroCoordinates& op) {
  const Sizes& sizes = op.coords.sizes;
  const Sizes packed = layoutStrides({LayoutKind::Packed, {}}, sizes).value();
  const size_t row = sizes.size() - 2;
  breaks.add("tensor.output-no-overlap",
             [&](NonzeroCoordinates& w) { setStrides(w.coords, withSize(packed, row, 0)); });
}

BreakableDescriptor breakable(const NonzeroCoordinates& op, Level level) {
  NonzeroBreaks breaks(op);
  addTypes(breaks);
  addDimensionCounts(breaks, op, level);
  addSizes(breaks, op);
  addOverlaps(breaks, op);
  return std::move(breaks).descriptor();
}

}  // namespace

std::vector<BreakableDescriptor> breakableNonzero(DataType type, uint32_t rank, Level level) {
  Sizes input(rank, 2);
  input.back() = 3;
  // Uses half of the dimensions, at least one.
  const Sizes looseInput = rightAligned(Sizes((rank + 1) / 2, 3), rank);
  const uint32_t looseColumns = std::max(1u, rank - 1);
  if (level < Level::L4_0) {
    return {breakable(makeNonzero(type, input, rank), level),
            breakable(makeNonzero(type, looseInput, looseColumns), level)};
  }
  return {breakable(makeNonzero(type, input, rank, rank, std::max(3u, rank)), level),
          breakable(makeNonzero(type, looseInput, looseColumns, 9 - rank, 4), level)};
}

}  // namespace dmlcts

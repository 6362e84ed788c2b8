// Breaks NONZERO_COORDINATES descriptors of a documented data type and dimension count, one rule at
// a time.

#include <algorithm>

#include "conformance/cases/families/nonzero_parts.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using Variants = BrokenVariants<NonzeroCoordinates>;

void addTypes(std::vector<Broken>& all, const NonzeroCoordinates& op) {
  Variants count("nonzero_coordinates.count-type", op);
  Variants coords("nonzero_coordinates.coords-type", op);
  for (const DataTypeInfo& type : kDataTypes) {
    if (type.type == DataType::Unknown || type.type == DataType::UInt32) continue;
    count.add([&](NonzeroCoordinates& wrong) { retype(wrong.count, type.type); });
    coords.add([&](NonzeroCoordinates& wrong) { retype(wrong.coords, type.type); });
  }
  count.addTo(all);
  coords.addTo(all);
}

void addDimensionCounts(std::vector<Broken>& all, const NonzeroCoordinates& op, Level level) {
  const Sizes rowsAndColumns(op.coords.sizes.end() - 2, op.coords.sizes.end());
  if (level < Level::L4_0) {
    // 4 and 5 dimensions are allowed; this is the other one.
    const size_t other = 9 - op.input.sizes.size();
    Variants("nonzero_coordinates.dimension-counts", op)
        .add([&](NonzeroCoordinates& wrong) { resize(wrong.count, Sizes(other, 1)); })
        .add([&](NonzeroCoordinates& wrong) {
          resize(wrong.coords, rightAligned(rowsAndColumns, other));
        })
        .addTo(all);
    return;
  }
  Variants ranks("nonzero_coordinates.rank", op);
  ranks.add([&](NonzeroCoordinates& wrong) { resize(wrong.count, Sizes(9, 1)); });
  ranks.add(
      [&](NonzeroCoordinates& wrong) { resize(wrong.coords, rightAligned(rowsAndColumns, 9)); });
  ranks.add([](NonzeroCoordinates& wrong) { resize(wrong.count, {}); });
  ranks.add([&](NonzeroCoordinates& wrong) { resize(wrong.coords, {rowsAndColumns[0]}); });
  ranks.addTo(all);
}

void addSizes(std::vector<Broken>& all, const NonzeroCoordinates& op) {
  const uint32_t inputRank = static_cast<uint32_t>(op.input.sizes.size());
  const size_t coordsRank = op.coords.sizes.size();
  const uint32_t rows = op.coords.sizes[coordsRank - 2];

  // Zero elements and zero rows are consistent with each other. Keeps leading dimensions, because
  // their sizes decide the effective rank.
  Variants("tensor.sizes-nonzero", op)
      .add([&](NonzeroCoordinates& wrong) {
        resize(wrong.input, withSize(wrong.input.sizes, inputRank - 1, 0));
        resize(wrong.coords, withSize(wrong.coords.sizes, coordsRank - 2, 0));
      })
      .addTo(all);

  Variants scalar("nonzero_coordinates.count-scalar", op);
  for (size_t axis = 0; axis < op.count.sizes.size(); ++axis) {
    scalar.add([&](NonzeroCoordinates& wrong) {
      resize(wrong.count, withSize(wrong.count.sizes, axis, 2));
    });
  }
  scalar.addTo(all);

  Variants rowCounts("nonzero_coordinates.coords-rows", op);
  for (uint32_t wrongRows : {rows - 1, rows + 1, 1u, 2 * rows, rows + 65'536}) {
    rowCounts.add([&](NonzeroCoordinates& wrong) {
      resize(wrong.coords, withSize(wrong.coords.sizes, coordsRank - 2, wrongRows));
    });
  }
  rowCounts.addTo(all);

  const uint32_t fewest = std::max(1u, effectiveRank(op.input.sizes));
  Variants columns("nonzero_coordinates.coords-columns", op);
  for (uint32_t wrongColumns : {inputRank + 1, fewest - 1, inputRank + 2, 64u}) {
    if (wrongColumns == 0) continue;  // would break tensor.sizes-nonzero as well
    columns.add([&](NonzeroCoordinates& wrong) {
      resize(wrong.coords, withSize(wrong.coords.sizes, coordsRank - 1, wrongColumns));
    });
  }
  columns.addTo(all);

  Variants leading("nonzero_coordinates.coords-leading-ones", op);
  for (size_t axis = 0; axis + 2 < coordsRank; ++axis) {
    leading.add([&](NonzeroCoordinates& wrong) {
      resize(wrong.coords, withSize(wrong.coords.sizes, axis, 2));
    });
  }
  leading.addTo(all);
}

void addOverlaps(std::vector<Broken>& all, const NonzeroCoordinates& op) {
  Variants overlaps("tensor.output-no-overlap", op);
  const Sizes& sizes = op.coords.sizes;
  const Sizes packed = layoutStrides({LayoutKind::Packed, {}}, sizes).value();
  const size_t row = sizes.size() - 2;
  overlaps.add([&](NonzeroCoordinates& w) { setStrides(w.coords, withSize(packed, row, 0)); });
  overlaps.addTo(all);
}

BreakableDescriptor breakable(const NonzeroCoordinates& op, Level level) {
  BreakableDescriptor result{op, brokenBuffers(op)};
  addTypes(result.broken, op);
  addDimensionCounts(result.broken, op, level);
  addSizes(result.broken, op);
  addOverlaps(result.broken, op);
  return result;
}

}  // namespace

std::vector<BreakableDescriptor> breakableNonzero(DataType type, uint32_t rank, Level level) {
  Sizes input(rank, 2);
  input.back() = 3;
  // Uses half of the dimensions, at least one.
  const Sizes looseInput = rightAligned(Sizes((rank + 1) / 2, 3), rank);
  const uint32_t looseColumns = std::max(1u, rank - 1);
  if (level < Level::L4_0) {
    return bothOf(breakable(makeNonzero(type, input, rank), level),
                  breakable(makeNonzero(type, looseInput, looseColumns), level));
  }
  return bothOf(breakable(makeNonzero(type, input, rank, rank, std::max(3u, rank)), level),
                breakable(makeNonzero(type, looseInput, looseColumns, 9 - rank, 4), level));
}

}  // namespace dmlcts

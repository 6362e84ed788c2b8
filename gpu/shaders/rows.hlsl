// NONZERO_COORDINATES, third kernel: a group turns the mask of one tile into rows of coordinates,
// ordered by element index. Variants:
//   ROW_TEXELS   rows of four adjacent coordinates, each written as one 16-byte texel
//   otherwise    any number of columns and any strides, written as dwords
// A pass writes a window of the output, rows by columns; tiles outside it find no rows to write.

#include "bindings.hlsli"
#include "group_scan.hlsli"

static const uint kHalfBits = kTileElements / kGroupThreads;  // of the mask, per thread

groupshared uint selected[kTileElements];  // offsets in the tile of its non-zero elements
groupshared uint tileCoordinates[8];       // of the tile's first element

// Divides `value`, a coordinate to which at most a tile's elements were added, by the size of its
// axis: what is carried to the next axis outward. Axes of 4,096 and more can wrap only once; for
// smaller ones the host chose multiplier and shift so that the quotient is exact below 2^14.
uint carry(uint value, uint4 axis) {
  return axis.x >= kTileElements ? (value >= axis.x ? 1 : 0) : (value * axis.y) >> axis.z;
}

[numthreads(kGroupThreads, 1, 1)]
void rows(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint columns = constantOf(kRowsColumns);

  uint countsAt = constantOf(kRowsCountsBase) + tile * 4;
  uint firstRow = tileCounts.Load(countsAt);

  if (thread == 0) {
    uint rest = (constantOf(kFirst) + tile) * kTileElements;
    for (uint column = columns; column-- > 0;) {
      uint size = axisOf(kRowsAxes, column).x;
      uint outer = rest / size;
      tileCoordinates[column] = rest - outer * size;
      rest = outer;
    }
  }

  uint maskAt = constantOf(kRowsMaskBase) + tile * kTileMaskBytes + (thread >> 1) * 4;
  uint bits = (maskBytes.Load(maskAt) >> (kHalfBits * (thread & 1))) & 0xFFFF;
  uint rowCount;
  uint at = exclusiveSum(countbits(bits), thread, rowCount);
  while (bits != 0) {
    selected[at++] = thread * kHalfBits + firstbitlow(bits);
    bits &= bits - 1;
  }
  GroupMemoryBarrierWithGroupSync();

  uint windowRow = constantOf(kRowsFirstRow);
  uint windowEnd = windowRow + constantOf(kRowsRowCount);
  if (firstRow >= windowEnd || firstRow + rowCount <= windowRow) rowCount = 0;
  for (uint i = thread; i < rowCount; i += kGroupThreads) {
    uint row = firstRow + i - windowRow;
#ifdef MUTANT_ROWS_SWAPPED
    uint tilesLeft = constantOf(kRowsTiles) - constantOf(kFirst) - tile;
    uint allRows = tileCounts.Load(countsAt + tilesLeft * 4);
    if (i == 0 && firstRow != 0) row -= 1;
    else if (i == rowCount - 1 && firstRow + rowCount < allRows) row += 1;
#endif
    uint carried = selected[i];
#ifdef ROW_TEXELS
    uint4 coordinates;
    [unroll] for (uint j = 0; j < 4; ++j) {
      uint column = 3 - j;
      uint4 axis = axisOf(kRowsAxes, column);
      uint value = tileCoordinates[column] + carried;
      carried = carry(value, axis);
      coordinates[column] = value - carried * axis.x;
    }
    if (row < constantOf(kRowsRowCount)) {
      outTexels[constantOf(kRowsOutBase) + row * constantOf(kRowsRowStride)] = coordinates;
    }
#else
    for (uint column = columns; column-- > 0;) {
      uint4 axis = axisOf(kRowsAxes, column);
      uint value = tileCoordinates[column] + carried;
      carried = carry(value, axis);
      uint windowColumn = column - constantOf(kRowsFirstColumn);
      if (row < constantOf(kRowsRowCount) && windowColumn < constantOf(kRowsColumnCount)) {
        outBytes.Store(constantOf(kRowsOutBase) + row * constantOf(kRowsRowStride) +
                           windowColumn * constantOf(kRowsColumnStride),
                       value - carried * axis.x);
      }
    }
#endif
  }
}

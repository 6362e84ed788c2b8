// NONZERO_COORDINATES, third kernel: a group turns the mask of one tile into rows of coordinates,
// ordered by element index. A thread looks at one bit of each of 16 mask words, so that the rows
// that neighbouring threads write are neighbours. Variants:
//   ROW_TEXELS   rows of four adjacent coordinates, each written as one 16-byte texel
//   otherwise    any number of columns and any strides, written as dwords
// A pass writes a window of the output, rows by columns; tiles outside it find no rows to write.

#include "bindings.hlsli"
#include "carry.hlsli"
#include "group_scan.hlsli"

static const uint kTileWords = kTileElements / 32;
static const uint kThreadWords = kTileElements / kGroupThreads;

groupshared uint2 words[kTileWords];  // mask; row of its first bit in the window
// Of each word's first element.
#ifdef ROW_TEXELS
groupshared uint4 wordCoordinates[kTileWords];
#else
groupshared uint wordCoordinates[kTileWords * 8];
#endif

[numthreads(kGroupThreads, 1, 1)]
void rows(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint columns = constantOf(kRowsColumns);
  uint columnIndex;  // runs from the innermost axis outward

  uint countsAt = constantOf(kRowsCountsBase) + tile * 4;
  uint firstRow = tileCounts.Load(countsAt);
  uint mask = 0;
  if (thread < kTileWords) {
    mask = maskBytes.Load(constantOf(kRowsMaskBase) + tile * kTileMaskBytes + thread * 4);
    uint rest = (constantOf(kFirst) + tile) * kTileElements + thread * 32;
#ifdef ROW_TEXELS
    uint4 coordinates;
    [unroll] for (uint i = 0; i < 3; ++i) {
      uint size = axisOf(kRowsAxes, 3 - i).x;
      uint outer = rest / size;
      coordinates[3 - i] = rest - outer * size;
      rest = outer;
    }
    coordinates.x = rest;
    wordCoordinates[thread] = coordinates;
#else
    for (columnIndex = columns; columnIndex-- > 1;) {
      uint size = axisOf(kRowsAxes, columnIndex).x;
      uint outer = rest / size;
      wordCoordinates[thread * 8 + columnIndex] = rest - outer * size;
      rest = outer;
    }
    wordCoordinates[thread * 8] = rest;
#endif
  }
  uint rowCount;
  uint before = exclusiveSum(countbits(mask), thread, rowCount);

  uint windowRow = constantOf(kRowsFirstRow);
  uint windowRows = constantOf(kRowsRowCount);
  if (thread < kTileWords) words[thread] = uint2(mask, firstRow + before - windowRow);
  GroupMemoryBarrierWithGroupSync();
  if (rowCount == 0 || firstRow >= windowRow + windowRows || firstRow + rowCount <= windowRow) {
    return;
  }

  uint bit = thread % 32;
  uint below = (1u << bit) - 1;
  uint firstWord = thread / 32 * kThreadWords;
  for (uint at = firstWord; at < firstWord + kThreadWords; ++at) {
    uint2 word = words[at];
    if ((word.x >> bit & 1) != 0) {
      uint row = word.y + countbits(word.x & below);
#ifdef MUTANT_ROWS_SWAPPED
      uint inTile = row + windowRow - firstRow;
      uint tilesLeft = constantOf(kRowsTiles) - constantOf(kFirst) - tile;
      uint allRows = tileCounts.Load(countsAt + tilesLeft * 4);
      if (inTile == 0 && firstRow != 0) row -= 1;
      else if (inTile == rowCount - 1 && firstRow + rowCount < allRows) row += 1;
#endif
#ifdef ROW_TEXELS
      uint4 coordinates = wordCoordinates[at];
      coordinates.w += bit;
      uint4 axis = axisOf(kRowsAxes, 3);
      if (coordinates.w >= axis.x) {
        uint carried = carry(coordinates.w, axis);
        coordinates.w -= carried * axis.x;
        axis = axisOf(kRowsAxes, 2);
        coordinates.z += carried;
        carried = carry(coordinates.z, axis);
        coordinates.z -= carried * axis.x;
        axis = axisOf(kRowsAxes, 1);
        coordinates.y += carried;
        carried = carry(coordinates.y, axis);
        coordinates.y -= carried * axis.x;
        coordinates.x += carried;
      }
      if (row < windowRows) {
        outTexels[constantOf(kRowsOutBase) + row * constantOf(kRowsRowStride)] = coordinates;
      }
#else
      uint carried = bit;
      for (columnIndex = columns; columnIndex-- > 0;) {
        uint value = wordCoordinates[at * 8 + columnIndex] + carried;
        carried = 0;
        if (columnIndex > 0) {
          uint4 axis = axisOf(kRowsAxes, columnIndex);
          carried = carry(value, axis);
          value -= carried * axis.x;
        }
        uint windowColumn = columnIndex - constantOf(kRowsFirstColumn);
        if (row < windowRows && windowColumn < constantOf(kRowsColumnCount)) {
          outBytes.Store(constantOf(kRowsOutBase) + row * constantOf(kRowsRowStride) +
                             windowColumn * constantOf(kRowsColumnStride),
                         value);
        }
      }
#endif
    }
  }
}

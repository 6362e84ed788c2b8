// NONZERO_COORDINATES, last kernel: a group turns the mask of one tile into rows of coordinates,
// ordered by element index. First every thread writes where its bits are, in order, to a list in
// group memory; then the threads take the list's entries in turn, so that the rows that neighbouring
// threads write are neighbours. Variants:
//   COLUMNS 1, 2, 4, 8   adjacent rows of that many adjacent coordinates, written as 16-byte texels
//   otherwise            any number of columns and any strides, written as dwords
// A pass writes a window of the output, rows by columns; tiles outside it find no rows to write.

#include "bindings.hlsli"
#include "carry.hlsli"
#include "group_scan.hlsli"

static const uint kTileWords = kTileElements / 32;
static const uint kThreadWords = kTileWords / kGroupThreads;

#if defined(COLUMNS) && COLUMNS < 4
static const uint kTexelRows = 4 / COLUMNS;  // rows that one store writes
#else
static const uint kTexelRows = 1;
#endif

// A tile is done in parts of so many elements, or all at once where the list holds all its rows.
static const uint kPartElements = 4096;
static const uint kPartWords = kPartElements / 32;
static const uint kThreadBits = kPartElements / kGroupThreads;
static const uint kWordThreads = 32 / kThreadBits;

groupshared uint2 words[kTileWords + 1];  // mask; rank of its first bit in the tile
groupshared uint tileCoordinates[8];      // of the tile's first element
// Elements of the part, counted from the tile's first; up to three places are left free before them.
groupshared uint list[kPartElements + kPartElements / 32 + 4];

// Where the list has its entry `i`: a bank further every 32, or threads with equally many bits would
// write to few banks.
uint slotOf(uint i) { return i + (i >> 5); }

// Appends the elements of a mask's bits to the list, from its entry `entry` on.
void listBits(uint mask, uint firstElement, uint entry) {
  [loop] while (mask != 0) {
    list[slotOf(entry)] = firstElement + firstbitlow(mask);
    mask &= mask - 1;
    ++entry;
  }
}

[numthreads(kGroupThreads, 1, 1)]
void rows(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint columns = constantOf(kRowsColumns);
  uint windowRows = constantOf(kRowsRowCount);
  uint i;
  uint column;

  uint countsAt = constantOf(kRowsCountsBase) + tile * 4;
  uint firstRow = tileCounts.Load(countsAt);
  uint maskAt = constantOf(kRowsMaskBase) + tile * kTileMaskBytes + thread * kThreadWords * 4;
  uint masks[kThreadWords];
  uint bits = 0;
  [unroll] for (i = 0; i < kThreadWords; ++i) {
    masks[i] = maskBytes.Load(maskAt + i * 4);
    bits += countbits(masks[i]);
  }
  if (thread < columns) {
    uint4 axis = axisOf(kRowsAxes, thread);
    uint outer = (constantOf(kFirst) + tile) * kTileElements / axis.w;
    tileCoordinates[thread] = outer % axis.x;
  }
  uint rowCount;
  uint rank = exclusiveSum(bits, thread, rowCount);
  [unroll] for (i = 0; i < kThreadWords; ++i) {
    words[thread * kThreadWords + i] = uint2(masks[i], rank);
    rank += countbits(masks[i]);
  }
  if (thread == 0) words[kTileWords] = uint2(0, rowCount);
  GroupMemoryBarrierWithGroupSync();

  // Where the tile's rows begin in this pass's window; before it, as a negative number.
  uint windowRow = firstRow - constantOf(kRowsFirstRow);
  bool shown = rowCount != 0 && (windowRow < windowRows || 0 - windowRow < rowCount);
#ifdef COLUMNS
  uint first[COLUMNS];
  uint4 axes[COLUMNS];
  [unroll] for (column = 0; column < COLUMNS; ++column) {
    first[column] = tileCoordinates[column];
    axes[column] = axisOf(kRowsAxes, column);
  }
#endif

  // Few rows: the first part is the whole tile. The others still meet at its barriers.
  bool few = rowCount <= kPartElements;
  [loop] for (uint part = 0; part < kTileWords; part += kPartWords) {
    // The part's rows [skew, end), counted from the first row of the texel in which they begin.
    uint partRow = 0;
    uint skew = 0;
    uint end = 0;
    uint firstRank = 0;
    if (shown && (part == 0 || !few)) {
      firstRank = words[part].y;
      partRow = windowRow + firstRank;
      skew = partRow % kTexelRows;
      partRow -= skew;
      end = skew + (few ? rowCount : words[part + kPartWords].y) - firstRank;
      uint before = skew - firstRank;
      if (few) {
        [unroll] for (i = 0; i < kThreadWords; ++i) {
          uint word = thread * kThreadWords + i;
          listBits(masks[i], word * 32, before + words[word].y);
        }
      } else {
        uint word = part + thread / kWordThreads;
        uint shift = thread % kWordThreads * kThreadBits;
        uint mask = words[word].x;
        listBits(mask >> shift & ((1u << kThreadBits) - 1), word * 32 + shift,
                 before + words[word].y + countbits(mask & ((1u << shift) - 1)));
      }
    }
    GroupMemoryBarrierWithGroupSync();

    [loop] for (uint at = thread * kTexelRows; at < end; at += kGroupThreads * kTexelRows) {
      uint row = partRow + at;
#ifdef MUTANT_ROWS_SWAPPED
      uint tilesLeft = constantOf(kRowsTiles) - constantOf(kFirst) - tile;
      uint allRows = tileCounts.Load(countsAt + tilesLeft * 4);
      if (firstRank + at == 0 && firstRow != 0) row -= 1;
      else if (firstRank + at == rowCount - 1 && firstRow + rowCount < allRows) row += 1;
#endif
#ifdef COLUMNS
      uint values[kTexelRows * COLUMNS];
      [unroll] for (i = 0; i < kTexelRows; ++i) {
        uint carried = list[slotOf(at) + i];
        [unroll] for (column = COLUMNS; column-- > 1;) {
          uint value = first[column] + carried;
          carried = carry(value, axes[column]);
          values[i * COLUMNS + column] = value - carried * axes[column].x;
        }
        values[i * COLUMNS] = first[0] + carried;
      }
      uint texel = constantOf(kRowsOutBase) + row / kTexelRows * constantOf(kRowsRowStride);
#if COLUMNS >= 4
      if (row < windowRows) {
        [unroll] for (i = 0; i < COLUMNS; i += 4) {
          outTexels[texel + i / 4] =
              uint4(values[i], values[i + 1], values[i + 2], values[i + 3]);
        }
      }
#else
      if (at >= skew && at + kTexelRows <= end && row < windowRows &&
          row + kTexelRows <= windowRows) {
        outTexels[texel] = uint4(values[0], values[1], values[2], values[3]);
      } else {
        // A texel that has rows of another part, too.
        [unroll] for (i = 0; i < kTexelRows; ++i) {
          if (at + i >= skew && at + i < end && row + i < windowRows) {
            [unroll] for (column = 0; column < COLUMNS; ++column) {
              outBytes.Store(constantOf(kRowsOutBytesBase) + ((row + i) * COLUMNS + column) * 4,
                             values[i * COLUMNS + column]);
            }
          }
        }
      }
#endif
#else
      uint carried = list[slotOf(at)];
      [loop] for (column = columns; column-- > 0;) {
        uint value = tileCoordinates[column] + carried;
        carried = 0;
        if (column > 0) {
          uint4 axis = axisOf(kRowsAxes, column);
          carried = carry(value, axis);
          value -= carried * axis.x;
        }
        uint windowColumn = column - constantOf(kRowsFirstColumn);
        if (row < windowRows && windowColumn < constantOf(kRowsColumnCount)) {
          outBytes.Store(constantOf(kRowsOutBase) + row * constantOf(kRowsRowStride) +
                             windowColumn * constantOf(kRowsColumnStride),
                         value);
        }
      }
#endif
    }
    GroupMemoryBarrierWithGroupSync();
  }
}

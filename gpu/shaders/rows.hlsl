// NONZERO_COORDINATES, last kernel: a group turns the mask of one tile into rows of coordinates,
// ordered by element index. Variants:
//   COLUMNS=1 to 8   coordinates of a row, written as dwords at any strides
//   TEXELS=1         rows of 1, 2, 4 or 8 adjacent coordinates, written as 16-byte texels; a texel
//                    of several rows, where the tile begins or ends in it, as dwords
// Threads take the rows in turn, so that neighbours write neighbours, however many there are: each
// looks up which element its row is of, by the ranks of the mask's words and then by the word's bits.
// A pass writes a window of the output, rows by columns; what lies outside is not written.

#include "bindings.hlsli"
#include "carry.hlsli"

#if defined(TEXELS) && COLUMNS < 4
static const uint kTexelRows = 4 / COLUMNS;  // rows that one store writes
#else
static const uint kTexelRows = 1;
#endif

groupshared uint counts[2];          // rows of the tensor before the tile, before the next one
groupshared uint masks[kTileWords];  // of the tile, in words
groupshared uint ranks[kTileWords];  // bits of the tile before each
// The word with the tile's row 0, 32, 64, …; behind the last of them the last word.
groupshared uint wordOfRow[kTileElements / 32 + 1];
groupshared uint firstCoordinates[COLUMNS];

// What loops need of the constants, by way of group memory: compilers would fetch them anew there.
groupshared uint4 constantRows[2];
groupshared uint4 constantAxes[COLUMNS];
static uint4 outRows;     // in the window; base of their view; stride; base of the texels' view
static uint4 outColumns;  // first of the window; their number; stride; first row of the window
static uint4 axes[COLUMNS];
static uint first[COLUMNS];  // coordinates of the tile's first element

#ifdef MUTANT_ROWS_SWAPPED
static uint tileFirstRow;
static uint tileRows;
static bool swapsFirst;
static bool swapsLast;
#endif

// Where a row of the tile is in its mask.
struct Place {
  uint word;
  uint bits;  // of that word, the row's and those behind it
};

Place placeOf(uint row) {
  uint low = wordOfRow[row / 32];
  uint high = wordOfRow[row / 32 + 1];
  [loop] while (low < high) {
    uint middle = (low + high + 1) / 2;
    if (ranks[middle] <= row) low = middle;
    else high = middle - 1;
  }
  uint mask = masks[low];
  uint before = row - ranks[low];  // bits of the word
  uint at = 0;
  [unroll] for (uint width = 16; width > 0; width /= 2) {
    uint bits = countbits(mask >> at & ((1u << width) - 1));
    if (before >= bits) {
      before -= bits;
      at += width;
    }
  }
  Place place = {low, mask >> at << at};
  return place;
}

// The next row's, which there must be.
Place after(Place place) {
  place.bits &= place.bits - 1;
  [loop] while (place.bits == 0) place.bits = masks[++place.word];
  return place;
}

uint elementAt(Place place) { return place.word * 32 + firstbitlow(place.bits); }

// The coordinates of an element of the tile.
void coordinatesOf(uint element, out uint values[COLUMNS]) {
  uint carried = element;
  [unroll] for (uint column = COLUMNS; column-- > 1;) {
    uint value = first[column] + carried;
    carried = carry(value, axes[column]);
    values[column] = value - carried * axes[column].x;
  }
  values[0] = first[0] + carried;
}

// Writes the row of an element of the tile. Rows count from the window's first.
void writeRow(uint row, uint element) {
#ifdef MUTANT_ROWS_SWAPPED
  if (swapsFirst && row == tileFirstRow) row -= 1;
  else if (swapsLast && row == tileFirstRow + tileRows - 1) row += 1;
#endif
  uint values[COLUMNS];
  coordinatesOf(element, values);
  uint at = outRows.y + row * outRows.z;
  uint column;
  if (row < outRows.x) {
#if defined(TEXELS) && COLUMNS >= 4
    [unroll] for (column = 0; column < COLUMNS; column += 4) {
      outTexels[at + column / 4] =
          uint4(values[column], values[column + 1], values[column + 2], values[column + 3]);
    }
#else
    [unroll] for (column = 0; column < COLUMNS; ++column) {
      uint inWindow = column - outColumns.x;
      if (inWindow < outColumns.y) outBytes.Store(at + inWindow * outColumns.z, values[column]);
    }
#endif
  }
}

// Writes what one texel shows of the tile's rows, of which there are `rowCount`, from `row` on; the
// window's row for it is `at`. Rows before the tile's first are negative.
void writeTexel(int row, uint at, uint rowCount) {
#if defined(TEXELS) && COLUMNS < 4 && !defined(MUTANT_ROWS_SWAPPED)
  uint i;
  if (row >= 0 && row + kTexelRows <= rowCount && at < outRows.x && at + kTexelRows <= outRows.x) {
    uint dwords[4];
    Place place = placeOf(row);
    [unroll] for (i = 0; i < kTexelRows; ++i) {
      if (i > 0) place = after(place);
      uint values[COLUMNS];
      coordinatesOf(elementAt(place), values);
      [unroll] for (uint column = 0; column < COLUMNS; ++column) {
        dwords[i * COLUMNS + column] = values[column];
      }
    }
    outTexels[outRows.w + at / kTexelRows] = uint4(dwords[0], dwords[1], dwords[2], dwords[3]);
    return;
  }
  [loop] for (i = 0; i < kTexelRows; ++i) {
    if (row + int(i) >= 0 && row + int(i) < int(rowCount)) writeRow(at + i, elementAt(placeOf(row + i)));
  }
#else
  if (uint(row) < rowCount) writeRow(at, elementAt(placeOf(row)));
#endif
}

[numthreads(kGroupThreads, 1, 1)]
void rows(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint recordAt = constantOf(kRowsMaskBase) + tile * kTileRecordBytes;
  uint countsAt = constantOf(kRowsCountsBase) + tile * 4;
  if (thread < 2) counts[thread] = tileCounts.Load(countsAt + thread * 4);
  if (isRanker(thread)) {
    uint ranksAt = recordAt + kTileMaskBytes + thread * (kThreadWords * 2);
    uint rank = 0;  // of two words
    [unroll] for (uint n = 0; n < kThreadWords; ++n) {
      uint word = thread * kThreadWords + n;
      if (n % 2 == 0) rank = maskBytes.Load(ranksAt + n * 2);
      uint mask = maskBytes.Load(recordAt + word * 4);
      uint before = n % 2 == 0 ? rank & 0xFFFF : rank >> 16;
      uint next = before + countbits(mask);
      masks[word] = mask;
      ranks[word] = before;
      uint whole = (before + 31) / 32;
      if (whole * 32 < next) wordOfRow[whole] = word;
      if (word == kTileWords - 1) wordOfRow[(next + 31) / 32] = word;
    }
  }
  if (thread == kGroupThreads - 1) {
    constantRows[0] = uint4(constantOf(kRowsRowCount), constantOf(kRowsOutBase),
                            constantOf(kRowsRowStride), constantOf(kRowsTexelBase));
    constantRows[1] = uint4(constantOf(kRowsFirstColumn), constantOf(kRowsColumnCount),
                            constantOf(kRowsColumnStride), constantOf(kRowsFirstRow));
  }
  if (thread < COLUMNS) {
    uint4 axis = axisOf(kRowsAxes, thread);
    constantAxes[thread] = axis;
    firstCoordinates[thread] = (constantOf(kFirst) + tile) * kTileElements / axis.w % axis.x;
  }
  GroupMemoryBarrierWithGroupSync();

  outRows = constantRows[0];
  outColumns = constantRows[1];
  [unroll] for (uint i = 0; i < COLUMNS; ++i) {
    axes[i] = constantAxes[i];
    first[i] = firstCoordinates[i];
  }
  // Where the tile's rows begin in this pass's window; before it, as a negative number.
  uint firstRow = counts[0] - outColumns.w;
  uint rowCount = counts[1] - counts[0];
#ifdef MUTANT_ROWS_SWAPPED
  uint tilesLeft = constantOf(kRowsTiles) - constantOf(kFirst) - tile;
  swapsFirst = counts[0] != 0;
  swapsLast = counts[1] < tileCounts.Load(countsAt + tilesLeft * 4);
  tileFirstRow = firstRow;
  tileRows = rowCount;
#endif
  bool shown = rowCount != 0 && (firstRow < outRows.x || 0 - firstRow < rowCount);
  if (!shown) return;
  uint skew = firstRow % kTexelRows;
  [loop] for (uint at = thread * kTexelRows; at < skew + rowCount; at += kGroupThreads * kTexelRows) {
    writeTexel(int(at) - int(skew), firstRow - skew + at, rowCount);
  }
}

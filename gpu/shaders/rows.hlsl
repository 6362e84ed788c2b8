// NONZERO_COORDINATES, last kernel: a group turns the mask of one tile into rows of coordinates,
// ordered by element index. Variants:
//   COLUMNS=1 to 8   coordinates of a row, written as dwords at any strides
//   TEXELS=1         rows of 1, 2, 4 or 8 adjacent coordinates, written as 16-byte texels; a texel
//                    of several rows, where a part of the tile begins or ends in it, as dwords
// Where few elements are non-zero, every thread walks the bits of its own words. Where many are,
// rows of whole texels are written by 32 threads a word, each testing a bit; others are listed in
// group memory, part by part of the tile, and the threads take the list's entries in turn: both to
// have neighbours write neighbouring rows.
// A pass writes a window of the output, rows by columns; what lies outside is not written.

#include "bindings.hlsli"
#include "carry.hlsli"

static const uint kManyRows = kTileElements / 32;

#if defined(TEXELS) && COLUMNS < 4
static const uint kTexelRows = 4 / COLUMNS;  // rows that one store writes
#else
static const uint kTexelRows = 1;
#endif

groupshared uint counts[2];               // rows of the tensor before the tile, before the next one
groupshared uint2 words[kTileWords + 1];  // mask; bits of the tile before it
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

// Writes the row of an element of the tile, if `wanted`. Rows count from the window's first.
void writeRow(uint row, uint element, bool wanted) {
#ifdef MUTANT_ROWS_SWAPPED
  if (swapsFirst && row == tileFirstRow) row -= 1;
  else if (swapsLast && row == tileFirstRow + tileRows - 1) row += 1;
#endif
  uint values[COLUMNS];
  coordinatesOf(element, values);
  uint at = outRows.y + row * outRows.z;
  uint column;
  if (wanted && row < outRows.x) {
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

#if defined(TEXELS) && COLUMNS >= 4

// Writes the rows of a tile, of which the first is `firstRow`. Every thread of the group must call
// it; only where `many`, anything is written.
void writeMany(uint firstRow, bool many, uint thread) {
  if (!many) return;
  uint bit = 1u << (thread % 32);
  [loop] for (uint i = thread / 32; i < kTileWords; i += kGroupThreads / 32) {
    uint2 word = words[i];
    writeRow(firstRow + word.y + countbits(word.x & (bit - 1)), i * 32 + thread % 32,
             (word.x & bit) != 0);
  }
}

#else

static const uint kPartElements = 4096;
static const uint kPartWords = kPartElements / 32;
static const uint kPieceBits = kPartElements / kGroupThreads;  // of a part, a thread's
static const uint kWordPieces = 32 / kPieceBits;

groupshared uint list[kPartElements + kPartElements / 32 + 4];
static const uint kUnused = kPartElements + kPartElements / 32 + 3;  // a place that nobody reads

// Where the list has its entry `i`: a bank further every 32, or those who take the rows of texels
// would wait for the same banks.
uint slotOf(uint i) { return i + i / 32; }

// Writes the row or rows of one texel of the list, those in [skew, end); `row` is that of the
// list's first entry.
void writeListed(uint texel, uint row, uint skew, uint end) {
  uint i;
  uint entry = texel * kTexelRows;
  row += entry;
#if defined(TEXELS) && !defined(MUTANT_ROWS_SWAPPED)
  bool whole = entry >= skew && entry + kTexelRows <= end && row < outRows.x &&
               row + kTexelRows <= outRows.x;
  if (whole) {
    uint dwords[4];
    [unroll] for (i = 0; i < kTexelRows; ++i) {
      uint values[COLUMNS];
      coordinatesOf(list[slotOf(entry) + i], values);
      [unroll] for (uint column = 0; column < COLUMNS; ++column) {
        dwords[i * COLUMNS + column] = values[column];
      }
    }
    outTexels[outRows.w + row / kTexelRows] = uint4(dwords[0], dwords[1], dwords[2], dwords[3]);
    return;
  }
#endif
  [unroll] for (i = 0; i < kTexelRows; ++i) {
    bool wanted = entry + i >= skew && entry + i < end;
    writeRow(row + i, list[slotOf(entry) + i], wanted);
  }
}

// As above. Tiles without many rows meet the others at the barriers.
void writeMany(uint firstRow, bool many, uint thread) {
  [loop] for (uint part = 0; part < kTileWords; part += kPartWords) {
    // The part's rows, [skew, end) from the first row of the texel in which they begin.
    uint partRow = firstRow + words[part].y;
    uint skew = partRow % kTexelRows;
    partRow -= skew;
    uint end = firstRow + words[part + kPartWords].y - partRow;
    if (many) {
      uint at = part + thread / kWordPieces;
      uint shift = thread % kWordPieces * kPieceBits;
      uint2 word = words[at];
      uint entry = firstRow + word.y + countbits(word.x & ((1u << shift) - 1)) - partRow;
      uint piece = word.x >> shift;
      [unroll] for (uint i = 0; i < kPieceBits; ++i) {
        uint set = piece >> i & 1;
        list[set != 0 ? slotOf(entry) : kUnused] = at * 32 + shift + i;
        entry += set;
      }
    }
    GroupMemoryBarrierWithGroupSync();
    if (many) {
      [loop] for (uint texel = thread; texel * kTexelRows < end; texel += kGroupThreads) {
        writeListed(texel, partRow, skew, end);
      }
    }
    GroupMemoryBarrierWithGroupSync();
  }
}

#endif

[numthreads(kGroupThreads, 1, 1)]
void rows(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint recordAt = constantOf(kRowsMaskBase) + tile * kTileRecordBytes;
  uint countsAt = constantOf(kRowsCountsBase) + tile * 4;
  if (thread < 2) counts[thread] = tileCounts.Load(countsAt + thread * 4);
  uint2 masks = uint2(maskBytes.Load(recordAt + thread * 8),
                      maskBytes.Load(recordAt + thread * 8 + 4));
  uint ranks = maskBytes.Load(recordAt + kTileMaskBytes + thread * 4);
  words[thread * 2] = uint2(masks.x, ranks & 0xFFFF);
  words[thread * 2 + 1] = uint2(masks.y, ranks >> 16);
  if (thread == kGroupThreads - 1) {
    words[kTileWords] = uint2(0, (ranks >> 16) + countbits(masks.y));
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
  bool many = shown && rowCount >= kManyRows;
  writeMany(firstRow, many, thread);
  if (!shown || many) return;

  uint row = firstRow + (ranks & 0xFFFF);
  [loop] while (any(masks != 0)) {
    uint upper = masks.x != 0 ? 0 : 1;
    uint mask = upper == 0 ? masks.x : masks.y;
    writeRow(row, thread * 64 + upper * 32 + firstbitlow(mask), true);
    mask &= mask - 1;
    if (upper == 0) masks.x = mask;
    else masks.y = mask;
    ++row;
  }
}

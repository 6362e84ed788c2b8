// NONZERO_COORDINATES, last kernel: a group turns the mask of one tile into rows of coordinates,
// ordered by element index. Variants:
//   COLUMNS=1 to 8   coordinates of a row, written as dwords at any strides
//   TEXELS=1         rows of 1, 2, 4 or 8 adjacent coordinates, written as 16-byte texels; a texel
//                    of several rows, where the tile begins or ends in it, as dwords, by this kernel
//                    or by row_ends.hlsl
//   APART=1          two columns or more, each packed by itself: texels of four rows of a column
// Threads take the rows in turn, so that neighbours write neighbours, however many there are: each
// looks up which element its row is of, by the ranks of the mask's words and then by the word's bits.
// A pass writes a window of the output, rows by columns; what lies outside is not written. Where the
// tiles are few, no scan went before: each group adds up the counts of the tiles before its own.

#include "bindings.hlsli"
#include "carry.hlsli"
#include "waves.hlsli"

#ifdef APART
static const uint kTexelRows = 4;  // rows that one store writes
static const uint kMostAxes = 8;
#elif defined(TEXELS) && COLUMNS < 4
static const uint kTexelRows = 4 / COLUMNS;
static const uint kMostAxes = COLUMNS;
#else
static const uint kTexelRows = 1;
static const uint kMostAxes = COLUMNS;
#endif

static const uint kHintRows = 16;

groupshared uint rowsBefore;             // of the tensor, before the tile
groupshared uint masks[kTileWords + 1];  // of the tile, in words, and no bit behind them
groupshared uint ranks[kTileWords];      // bits of the tile before each
// The word with the tile's row 0, 16, 32, …; behind the last of them the last word.
groupshared uint wordOfRow[kTileElements / kHintRows + 1];
groupshared uint firstCoordinates[kMostAxes];

// Holds the constants that loops need in group memory: compilers would fetch them anew there.
groupshared uint4 constantRows[2];
groupshared uint4 constantAxes[kMostAxes];

// State of writing the rows. (No `static` variables: libvkd3d 2.1 refuses those of DXC's -Od.)
struct Plan {
  uint4 rows;      // in the window; base of their view; stride; base of the texels' view
  uint4 columns;   // first of the window; their number; stride; first row of the window
  bool endsApart;  // whether row_ends.hlsl writes what is no whole texel
#ifdef APART
  uint axisCount;
#else
  uint4 axes[COLUMNS];
  uint first[COLUMNS];  // coordinates of the tile's first element
#endif
};

// The element of the tile whose row that is.
uint elementOf(uint row) {
  uint low = wordOfRow[row / kHintRows];
  uint high = wordOfRow[row / kHintRows + 1];
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
  return low * 32 + at;
}

#ifndef APART

// The coordinates of an element of the tile.
void coordinatesOf(Plan plan, uint element, out uint values[COLUMNS]) {
  uint carried = element;
  [unroll] for (uint column = COLUMNS; column-- > 1;) {
    uint value = plan.first[column] + carried;
    carried = carry(value, plan.axes[column]);
    values[column] = value - carried * plan.axes[column].x;
  }
  values[0] = plan.first[0] + carried;
}

#endif

#if defined(APART) || (defined(TEXELS) && COLUMNS < 4)

// The bits of the tile's mask from an element's on.
uint bitsFrom(uint element) {
  uint word = element / 32;
  uint at = element % 32;
  return masks[word] >> at | masks[word + 1] << 1 << (31 - at);
}

// Goes on to the element with the next row, which there must be: the first of `bits`, which are
// those from `element` on.
void goOn(inout uint element, inout uint bits) {
  bits &= bits - 1;
  [loop] while (bits == 0) {
    element += 32;
    bits = bitsFrom(element);
  }
}

#ifdef APART

// Writes the rows of a texel of each column: `row` is the first as the tile counts, below 0 where the
// tile begins in the texel, and `place` as the window does. Looks the rows up once for all columns.
void writeTexel(Plan plan, int row, uint place, uint rowCount) {
  uint begin = row < 0 ? uint(-row) : 0;
  uint number = min(kTexelRows, rowCount - uint(row)) - begin;
  bool whole = number == kTexelRows && place < plan.rows.x && place + kTexelRows <= plan.rows.x;
  if (!whole && plan.endsApart) return;
  uint element = elementOf(uint(row) + begin);
  uint bits = bitsFrom(element);
  uint4 elements = element + firstbitlow(bits);
  if (number > 1) goOn(element, bits);
  elements.y = element + firstbitlow(bits);
  if (number > 2) goOn(element, bits);
  elements.z = element + firstbitlow(bits);
  if (number > 3) goOn(element, bits);
  elements.w = element + firstbitlow(bits);
  place += begin;
  [loop] for (uint column = plan.axisCount; column-- > plan.columns.x;) {
    uint4 axis = constantAxes[column];
    uint4 values = elements + firstCoordinates[column];
    elements = uint4(carry(values.x, axis), carry(values.y, axis), carry(values.z, axis),
                     carry(values.w, axis));
    values -= elements * axis.x;
    uint inWindow = column - plan.columns.x;
    uint at = plan.rows.y + inWindow * plan.columns.z + place * 4;
    if (inWindow >= plan.columns.y) {
    } else if (whole) {
      outTexels[plan.rows.w + inWindow * (plan.columns.z / 16) + place / 4] = values;
    } else {
      [loop] for (uint i = 0; i < number; ++i) {
        if (place + i < plan.rows.x) outBytes.Store(at + i * 4, values.x);
        values = values.yzww;
      }
    }
  }
}

#else

// Writes the rows of a texel, as above.
void writeTexel(Plan plan, int row, uint place, uint rowCount) {
  uint begin = row < 0 ? uint(-row) : 0;
  uint end = min(kTexelRows, rowCount - uint(row));
  uint element = elementOf(uint(row) + begin);
  uint bits = bitsFrom(element);
  uint values[COLUMNS];
  uint column;
  uint i;
  if (end - begin == kTexelRows && place < plan.rows.x && place + kTexelRows <= plan.rows.x) {
    uint dwords[4];
    [unroll] for (i = 0; i < kTexelRows; ++i) {
      if (i > 0) goOn(element, bits);
      coordinatesOf(plan, element + firstbitlow(bits), values);
      [unroll] for (column = 0; column < COLUMNS; ++column) {
        dwords[i * COLUMNS + column] = values[column];
      }
    }
    outTexels[plan.rows.w + place / kTexelRows] = uint4(dwords[0], dwords[1], dwords[2], dwords[3]);
    return;
  }
  if (plan.endsApart) return;
  [loop] for (i = begin; i < end; ++i) {
    if (i > begin) goOn(element, bits);
    coordinatesOf(plan, element + firstbitlow(bits), values);
    uint to = place + i;
    if (to < plan.rows.x) {
      [unroll] for (column = 0; column < COLUMNS; ++column) {
        outBytes.Store(plan.rows.y + to * plan.rows.z + column * 4, values[column]);
      }
    }
  }
}

#endif

void writeRows(Plan plan, uint firstRow, uint rowCount, uint thread) {
  uint skew = firstRow % kTexelRows;
  [loop] for (uint i = thread * kTexelRows; i < skew + rowCount; i += kGroupThreads * kTexelRows) {
    writeTexel(plan, int(i) - int(skew), firstRow - skew + i, rowCount);
  }
}

#else

void writeRow(Plan plan, uint element, uint row) {
  uint values[COLUMNS];
  coordinatesOf(plan, element, values);
  uint at = plan.rows.y + row * plan.rows.z;
  uint column;
  if (row >= plan.rows.x) return;
#ifdef TEXELS
  [unroll] for (column = 0; column < COLUMNS; column += 4) {
    outTexels[at + column / 4] =
        uint4(values[column], values[column + 1], values[column + 2], values[column + 3]);
  }
#else
  [unroll] for (column = 0; column < COLUMNS; ++column) {
    uint inWindow = column - plan.columns.x;
    if (inWindow < plan.columns.y) outBytes.Store(at + inWindow * plan.columns.z, values[column]);
  }
#endif
}

// If most elements have a row, testing each is quicker than looking rows up.
void writeRows(Plan plan, uint firstRow, uint rowCount, uint thread) {
  uint i;
  if (rowCount >= kTileElements / 2) {
    [loop] for (i = thread; i < kTileElements; i += kGroupThreads) {
      uint mask = masks[i / 32];
      uint bit = 1u << (i % 32);
      if ((mask & bit) == 0) continue;
      writeRow(plan, i, firstRow + ranks[i / 32] + countbits(mask & (bit - 1)));
    }
  } else {
    [loop] for (i = thread; i < rowCount; i += kGroupThreads) {
      writeRow(plan, elementOf(i), firstRow + i);
    }
  }
}

#endif

// Loads what the passes before made of a tile: words of its mask, kRankers apart, the bits before
// each, and the number of all; and adds to `sum` this thread's share of the rows before the tile.
uint loadMask(uint thread, uint tile, out uint found[kThreadWords], out uint before[kThreadWords],
              inout uint sum) {
  // All that memory is asked for, before any of it is waited for.
  uint recordAt = constantOf(kRowsMaskBase) + tile * kTileRecordBytes;
  uint i;
  [unroll] for (i = 0; i < kThreadWords; ++i) {
    uint word = i * kRankers + thread % kRankers;
    found[i] = maskBytes.Load(recordAt + word * 4);
    uint both = maskBytes.Load(recordAt + kTileMaskBytes + word / 2 * 4);
    before[i] = word % 2 == 0 ? both & 0xFFFF : both >> 16;
  }
  uint number = constantOf(kFirst) + tile;
  bool scanned = constantOf(kRowsScanned) != 0;
  uint countsAt = constantOf(kRowsCountsBase) + (scanned ? tile : number) * 4;
  uint count = tileCounts.Load(countsAt);
  if (scanned) {
    if (thread == 0) sum = count;
    count = tileCounts.Load(countsAt + 4) - count;
  } else {
    uint base = constantOf(kRowsCountsBase);
    [loop] for (uint at = thread; at < number; at += kAhead * kGroupThreads) {
      [unroll] for (i = 0; i < kAhead; ++i) {
        uint one = at + i * kGroupThreads;
        sum += one < number ? tileCounts.Load(base + one * 4) : 0;
      }
    }
  }
  return count;
}

[numthreads(kGroupThreads, 1, 1)]
void rows(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint number = constantOf(kFirst) + tile;
  uint found[kThreadWords];
  uint before[kThreadWords];
  uint sum = 0;
  uint i;
  uint count = loadMask(thread, tile, found, before, sum);
  if (thread == 0) rowsBefore = 0;
#ifdef APART
  uint axisCount = constantOf(kRowsAxisCount);
#else
  static const uint axisCount = COLUMNS;
#endif
  if (thread < axisCount) {
    uint4 axis = axisOf(kRowsAxes, thread);
    constantAxes[thread] = axis;
    firstCoordinates[thread] = number * kTileElements / axis.w % axis.x;
  }
  if (thread == kGroupThreads - 1) {
    constantRows[0] = uint4(constantOf(kRowsRowCount), constantOf(kRowsOutBase),
                            constantOf(kRowsRowStride), constantOf(kRowsTexelBase));
    constantRows[1] = uint4(constantOf(kRowsFirstColumn), constantOf(kRowsColumnCount),
                            constantOf(kRowsColumnStride), constantOf(kRowsFirstRow));
    masks[kTileWords] = 0;
  }
  GroupMemoryBarrierWithGroupSync();

#ifdef WAVES
  sum = WaveActiveSum(sum);
  if (WaveGetLaneIndex() == 0)
#endif
  InterlockedAdd(rowsBefore, sum);
  if (isRanker(thread)) {
    [unroll] for (i = 0; i < kThreadWords; ++i) {
      uint word = i * kRankers + thread;
      uint next = before[i] + countbits(found[i]);
      masks[word] = found[i];
      ranks[word] = before[i];
      uint hint = (before[i] + kHintRows - 1) / kHintRows;
      if (hint * kHintRows < next) wordOfRow[hint] = word;
      if ((hint + 1) * kHintRows < next) wordOfRow[hint + 1] = word;
      if (word == kTileWords - 1) wordOfRow[(next + kHintRows - 1) / kHintRows] = word;
    }
  }
  GroupMemoryBarrierWithGroupSync();

  // A group of the last tile knows how many rows there are.
  if (constantOf(kRowsWritesCount) != 0 && thread == 0 && number + 1 == constantOf(kRowsTiles)) {
    countBytes.Store(constantOf(kRowsCountBase), rowsBefore + count);
  }
  Plan plan;
  plan.endsApart = constantOf(kRowsEndsApart) != 0;
  plan.rows = constantRows[0];
  plan.columns = constantRows[1];
#ifdef APART
  plan.axisCount = axisCount;
#else
  [unroll] for (i = 0; i < COLUMNS; ++i) {
    plan.axes[i] = constantAxes[i];
    plan.first[i] = firstCoordinates[i];
  }
#endif
  // Begin of the tile's rows in this pass's window; before it, as a negative number.
  uint firstRow = rowsBefore - plan.columns.w;
  if (count != 0 && (firstRow < plan.rows.x || 0 - firstRow < count)) {
    writeRows(plan, firstRow, count, thread);
  }
}

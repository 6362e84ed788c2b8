// NONZERO_COORDINATES, beside rows.hlsl where no view of dwords shows all coordinates: writes the rows
// that share a texel of a column, or of two, with another tile's, or with none, one by one. A thread
// does one tile, in a window of the output.

#include "bindings.hlsli"

uint rankOf(uint recordAt, uint word) {
  uint both = maskBytes.Load(recordAt + kTileMaskBytes + word / 2 * 4);
  return word % 2 == 0 ? both & 0xFFFF : both >> 16;
}

// A row of the tile whose first element is `tileStart`; `place` counts from the window's first row.
void writeRow(uint recordAt, uint tileStart, uint row, uint place) {
  if (place >= constantOf(kRowsRowCount)) return;
  uint low = 0;
  uint high = kTileWords - 1;
  [loop] while (low < high) {
    uint middle = (low + high + 1) / 2;
    if (rankOf(recordAt, middle) <= row) low = middle;
    else high = middle - 1;
  }
  uint mask = maskBytes.Load(recordAt + low * 4);
  [loop] for (uint before = row - rankOf(recordAt, low); before > 0; --before) mask &= mask - 1;
  uint element = tileStart + low * 32 + firstbitlow(mask);
  uint at = constantOf(kRowsOutBase) + place * constantOf(kRowsRowStride);
  [loop] for (uint column = 0; column < constantOf(kRowsColumnCount); ++column) {
    uint4 axis = axisOf(kRowsAxes, constantOf(kRowsFirstColumn) + column);
    outBytes.Store(at + column * constantOf(kRowsColumnStride), element / axis.w % axis.x);
  }
}

[numthreads(kGroupThreads, 1, 1)]
void rowEnds(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId) * kGroupThreads + thread;
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint recordAt = constantOf(kRowsMaskBase) + tile * kTileRecordBytes;
  uint tileStart = (constantOf(kFirst) + tile) * kTileElements;
  uint countsAt = constantOf(kRowsCountsBase) + tile * 4;
  uint begin = tileCounts.Load(countsAt);
  uint end = tileCounts.Load(countsAt + 4);
  uint window = constantOf(kRowsFirstRow);
  uint texelRows = constantOf(kRowsTexelRows);
  uint headEnd = min(end, (begin + texelRows - 1) / texelRows * texelRows);
  uint tailBegin = max(headEnd, end / texelRows * texelRows);
  [loop] for (uint row = begin; row < end; ++row) {
    if (row == headEnd) row = tailBegin;
    if (row < end) writeRow(recordAt, tileStart, row - begin, row - window);
  }
}

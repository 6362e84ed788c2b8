// What the kernels that make the mask leave behind for each tile: its mask, a word of 32 elements
// after the other; the rank of each word, the number of the tile's bits before it, two ranks to a
// dword; and, in the table of tile counts, the number of all its bits.

#include "group_scan.hlsli"

// The bits of a dword that make its elements non-zero: FLOAT32 and FLOAT16 have a sign that does
// not.
uint testMask() {
#ifdef MUTANT_MINUS_ZERO_COUNTED
  return ~0u;
#else
  return constantOf(kMarkTestMask);
#endif
}

// A word of the mask as it is stored.
uint asStored(uint mask, uint word) {
#ifdef MUTANT_TILE_END_LOST
  if (word % kTileWords == kTileWords - 1) mask &= 0x7FFFFFFF;
#endif
  return mask;
}

// Stores ranks and count; `masks` are this thread's two words. Every thread must call it, in
// uniform control flow.
void storeRanks(uint recordAt, uint countAt, uint2 masks, uint thread) {
  uint2 bits = countbits(masks);
  uint total;
  uint rank = exclusiveSum(bits.x + bits.y, thread, total);
  maskBytes.Store(recordAt + kTileMaskBytes + thread * 4, rank | (rank + bits.x) << 16);
  if (thread == 0) tileCounts.Store(countAt, total);
}

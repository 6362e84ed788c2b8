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

// Stores ranks and count; `masks` are this thread's words, 0 where it has none. Every thread must
// call it, in uniform control flow.
void storeRanks(uint recordAt, uint countAt, uint masks[kThreadWords], uint thread) {
  uint bits[kThreadWords];
  uint sum = 0;
  uint n;
  [unroll] for (n = 0; n < kThreadWords; ++n) {
    bits[n] = countbits(masks[n]);
    sum += bits[n];
  }
  uint total;
  uint rank = exclusiveSum(sum, thread, total);
  uint ranksAt = recordAt + kTileMaskBytes + thread * (kThreadWords * 2);
  if (isRanker(thread)) {
    [unroll] for (n = 0; n < kThreadWords; n += 2) {
      maskBytes.Store(ranksAt + n * 2, rank | (rank + bits[n]) << 16);
      rank += bits[n] + bits[n + 1];
    }
  }
  if (thread == 0) tileCounts.Store(countAt, total);
}

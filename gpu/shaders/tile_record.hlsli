// The record of each tile, left by the kernels that make the mask: its mask, a word of 32 elements
// after the other; the rank of each word, the number of the tile's bits before it, two ranks to a
// dword; and, in the table of tile counts, the number of all its bits.

#include "group_scan.hlsli"

// A word of a tile's mask without the bits of what lies behind the tensor in its last texel: they
// are not ours to count. `remaining` are the tensor's elements from the tile's first on.
uint withoutEnd(uint mask, uint word, uint remaining) {
  return word == (remaining - 1) / 32 ? mask & ~0u >> (0 - remaining) % 32 : mask;
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

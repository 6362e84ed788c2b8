// The record of each tile, left by the kernels that make the mask: its mask, a word of 32 elements
// after the other; the rank of each word, the number of the tile's bits before it, two ranks to a
// dword; and, in the table of tile counts, the number of all its bits. Where rows.hlsl makes the
// mask, it keeps that to itself.

#include "group_scan.hlsli"

// The bits of a dword that make its elements non-zero: FLOAT32 and FLOAT16 have a sign that does
// not.
uint testMask() {
  return constantOf(kMarkTestMask);
}

// Returns a bit for each element of a texel that has bits set; dwordShift is log2 of the
// elements of a dword. Adding ones to all of an element's bits but the top one carries into that
// unless they are all 0; the multiplication then gathers a dword's top bits in its highest.
uint nonzeroBits(uint4 texel, uint dwordShift) {
  uint ones = dwordShift == 0 ? 0x7FFFFFFF : dwordShift == 1 ? 0x7FFF7FFF : 0x7F7F7F7F;
  uint gather = dwordShift == 0 ? 1 : dwordShift == 1 ? 0x8001 : 0x204081;
  uint dwordElements = 1u << dwordShift;
  uint4 top = (texel | ((texel & ones) + ones)) & ~ones;
  uint4 bits = top * gather >> (32 - dwordElements) << dwordElements * uint4(0, 1, 2, 3);
  return bits.x | bits.y | bits.z | bits.w;
}

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

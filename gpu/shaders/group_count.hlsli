// The number of bits that a group found in its tile.

static const uint kCountParts = 16;
groupshared uint threadCounts[kGroupThreads];
groupshared uint tileCount;

// Stores the sum of all threads' `bits` in the table of tile counts. Every thread must call it, in
// uniform control flow.
void storeCount(uint address, uint bits, uint thread) {
  threadCounts[thread] = bits;
  if (thread == 0) tileCount = 0;
  GroupMemoryBarrierWithGroupSync();
  if (thread < kCountParts) {
    uint sum = 0;
    [unroll] for (uint i = 0; i < kGroupThreads; i += kCountParts) sum += threadCounts[i + thread];
    InterlockedAdd(tileCount, sum);
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0) tileCounts.Store(address, tileCount);
}

// NONZERO_COORDINATES, second kernel: turns the counts of the tiles into the number of rows before
// each tile. A group does kScanChunk tiles, and first adds up all counts before them by itself: some
// reads more, which the cache serves, in place of a chain from group to group. The last group
// writes the total as the operator's count, and behind the rows of the last tile.
// Here the register of the mask shows the counts, and that of the counts where rows go.

#include "bindings.hlsli"
#include "group_scan.hlsli"

static const uint kPerThread = (kScanChunk + kGroupThreads - 1) / kGroupThreads;

[numthreads(kGroupThreads, 1, 1)]
void scan(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tiles = constantOf(kScanTiles);
  uint from = constantOf(kScanCountsBase);
  uint to = constantOf(kScanRowsBase);
  uint chunk = groupOf(groupId) * kScanChunk;
  if (chunk >= tiles) return;

  uint i;
  uint counts[kPerThread];
  uint sum = 0;
  uint first = chunk + thread * kPerThread;
  uint end = kPerThread * kGroupThreads > kScanChunk ? min(tiles, chunk + kScanChunk) : tiles;
  [unroll] for (i = 0; i < kPerThread; ++i) {
    counts[i] = first + i < end ? maskBytes.Load(from + (first + i) * 4) : 0;
    sum += counts[i];
  }

  uint before = 0;
  if (chunk > 0) {
    uint mine = 0;
    for (uint at = thread; at < chunk; at += kAhead * kGroupThreads) {
      [unroll] for (i = 0; i < kAhead; ++i) {
        uint one = at + i * kGroupThreads;
        mine += one < chunk ? maskBytes.Load(from + one * 4) : 0;
      }
    }
    exclusiveSum(mine, thread, before);
    GroupMemoryBarrierWithGroupSync();
  }

  uint total;
  uint rows = before + exclusiveSum(sum, thread, total);
  [unroll] for (i = 0; i < kPerThread; ++i) {
    if (first + i < end) tileCounts.Store(to + (first + i) * 4, rows);
    rows += counts[i];
  }
  if (thread == 0 && tiles - chunk <= kScanChunk) {
    tileCounts.Store(to + tiles * 4, before + total);
    countBytes.Store(constantOf(kScanOutBase), before + total);
  }
}

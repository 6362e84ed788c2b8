// NONZERO_COORDINATES, second kernel: a single group turns the tile counts, in place, into the
// number of rows before each tile, and writes their total as the operator's count, and to one dword
// more after the last tile.

#include "bindings.hlsli"
#include "group_scan.hlsli"

static const uint kPerThread = kScanChunk / kGroupThreads;

[numthreads(kGroupThreads, 1, 1)]
void scan(uint thread : SV_GroupIndex) {
  uint tiles = constantOf(kScanTiles);
  uint base = constantOf(kScanCountsBase);
  uint before = 0;  // rows of the chunks already done

  for (uint chunk = 0; chunk < tiles; chunk += kScanChunk) {
    uint first = chunk + thread * kPerThread;
    uint counts[kPerThread];
    uint sum = 0;
    uint i;
    [unroll] for (i = 0; i < kPerThread; ++i) {
      counts[i] = first + i < tiles ? tileCounts.Load(base + (first + i) * 4) : 0;
      sum += counts[i];
    }
    uint total;
    uint rows = before + exclusiveSum(sum, thread, total);
    [unroll] for (i = 0; i < kPerThread; ++i) {
      if (first + i < tiles) tileCounts.Store(base + (first + i) * 4, rows);
      rows += counts[i];
    }
#ifdef MUTANT_SCAN_CARRY_DROPPED
    before = total;
#else
    before += total;
#endif
  }
  if (thread == 0) {
    tileCounts.Store(base + tiles * 4, before);
    countBytes.Store(constantOf(kScanOutBase), before);
  }
}

// NONZERO_COORDINATES of a strided input, between mark_strided and scan: how many bits each tile of
// the mask has. Words behind the tensor's last become 0. A group does one tile.

#include "bindings.hlsli"
#include "group_count.hlsli"

[numthreads(kGroupThreads, 1, 1)]
void count(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint remaining = constantOf(kCountElements) - (constantOf(kFirst) + tile) * kTileElements;
  uint bits = 0;
  [unroll] for (uint word = thread; word < kTileElements / 32; word += kGroupThreads) {
    uint address = constantOf(kCountMaskBase) + tile * kTileMaskBytes + word * 4;
    if (word * 32 < remaining) {
      bits += countbits(maskBytes.Load(address));
    } else {
      maskBytes.Store(address, 0);
    }
  }
  storeCount(constantOf(kCountCountsBase) + tile * 4, bits, thread);
}

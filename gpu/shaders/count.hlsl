// NONZERO_COORDINATES of a strided input, between mark_strided and scan: ranks and counts the bits
// of each tile's mask. Words behind the tensor's last become 0. A group does one tile.

#include "bindings.hlsli"
#include "tile_record.hlsli"

[numthreads(kGroupThreads, 1, 1)]
void count(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint remaining = constantOf(kCountElements) - (constantOf(kFirst) + tile) * kTileElements;
  uint recordAt = constantOf(kCountMaskBase) + tile * kTileRecordBytes;
  uint masks[kThreadWords];
  [unroll] for (uint i = 0; i < kThreadWords; ++i) {
    uint word = thread * kThreadWords + i;
    masks[i] = 0;
    if (!isRanker(thread)) {
    } else if (word * 32 < remaining) {
      masks[i] = maskBytes.Load(recordAt + word * 4);
    } else {
      maskBytes.Store(recordAt + word * 4, 0);
    }
  }
  storeRanks(recordAt, constantOf(kCountCountsBase) + tile * 4, masks, thread);
}

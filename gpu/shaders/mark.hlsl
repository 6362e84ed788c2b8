// NONZERO_COORDINATES, first kernel: which elements are non-zero. A group makes the bit mask of a
// tile of elements, in element order, and ranks and counts its bits. Variants ELEMENT_BYTES 4, 2
// and 1, of packed input, read as 16-byte texels; mark_strided.hlsl has the other layouts. Elements
// are tested as bits: only +0 and -0 are zero, denormals and NaNs are not, whatever the float mode
// of the hardware.

#include "bindings.hlsli"
#include "nonzero_bits.hlsli"
#include "tile_record.hlsli"

static const uint kWordTexels = 32 / kTexelElements;
static const uint kTexels = kTileElements / kTexelElements;
static const uint kThreadTexels = kTexels / kGroupThreads;         // that a thread tests
static const uint kRankerTexels = kThreadWords * kWordTexels;      // of the words that it ranks
static const uint kFound = (kThreadTexels + kWordTexels - 1) / kWordTexels;  // dwords of its bits

// The bits that the threads found: kFound dwords each, of texels that lie kGroupThreads apart. A gap
// after every kRankerTexels keeps threads that gather from waiting for the same bank.
static const uint kPlaces = kGroupThreads + kGroupThreads / kRankerTexels;
groupshared uint found[kFound * kPlaces];

uint placeOf(uint thread) { return thread + thread / kRankerTexels; }

[numthreads(kGroupThreads, 1, 1)]
void mark(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint remaining = constantOf(kMarkElements) - (constantOf(kFirst) + tile) * kTileElements;

  // Reads no texel past the tensor's end; the last one may reach past it.
  uint texelCount = (min(remaining, kTileElements) + kTexelElements - 1) / kTexelElements;
  uint texel = constantOf(kMarkDataBase) + tile * kTexels + thread;
  uint mine[kFound];
  uint i;
  [unroll] for (i = 0; i < kFound; ++i) mine[i] = 0;
  [branch] if (texelCount == kTexels) {
    [unroll] for (i = 0; i < kThreadTexels; ++i) {
      mine[i * kTexelElements / 32] |= nonzeroBits(dataTexels[texel + i * kGroupThreads])
                                       << (i * kTexelElements % 32);
    }
  } else {
    [unroll] for (i = 0; i < kThreadTexels; ++i) {
      [branch] if (i * kGroupThreads + thread < texelCount) {
        mine[i * kTexelElements / 32] |= nonzeroBits(dataTexels[texel + i * kGroupThreads])
                                         << (i * kTexelElements % 32);
      }
    }
  }
  [unroll] for (i = 0; i < kFound; ++i) found[i * kPlaces + placeOf(thread)] = mine[i];
  GroupMemoryBarrierWithGroupSync();

  // The texels of a thread's words have the same place among those of their finders.
  uint firstTexel = thread * kRankerTexels;
  uint shift = firstTexel / kGroupThreads * kTexelElements;
  uint finder = placeOf(firstTexel % kGroupThreads) + shift / 32 * kPlaces;
  shift %= 32;
  uint recordAt = constantOf(kMarkMaskBase) + tile * kTileRecordBytes;
  uint masks[kThreadWords];
  [unroll] for (uint n = 0; n < kThreadWords; ++n) {
    masks[n] = 0;
    if (!isRanker(thread)) continue;
    uint mask = 0;
    [unroll] for (i = 0; i < kWordTexels; ++i) {
      uint texelBits = found[finder + n * kWordTexels + i] >> shift & ((1u << kTexelElements) - 1);
      mask |= texelBits << (i * kTexelElements);
    }
    uint word = thread * kThreadWords + n;
    mask = withoutEnd(mask, word, remaining);
    maskBytes.Store(recordAt + word * 4, mask);
    masks[n] = mask;
  }
  storeRanks(recordAt, constantOf(kMarkCountsBase) + tile * 4, masks, thread);
}

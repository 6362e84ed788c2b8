// NONZERO_COORDINATES, first kernel: which elements are non-zero. A group makes the bit mask of a
// tile of elements, in element order, and counts its bits. Variants ELEMENT_BYTES 4, 2 and 1, of
// packed input, read as 16-byte texels; mark_strided.hlsl has the other layouts. Elements are tested
// as bits: only +0 and -0 are zero, denormals and NaNs are not, whatever the float mode of the
// hardware.

#include "bindings.hlsli"
#include "group_count.hlsli"
#include "test_mask.hlsli"

#if ELEMENT_BYTES == 4

uint nonzeroBits(uint4 texel) {
  uint4 set = (texel & testMask()) != 0 ? uint4(1, 2, 4, 8) : 0;
  return set.x | set.y | set.z | set.w;
}

#elif ELEMENT_BYTES == 2

uint nonzeroBits(uint4 texel) {
  uint4 tested = texel & testMask();
  uint4 low = (tested & 0xFFFF) != 0 ? uint4(1, 4, 16, 64) : 0;
  uint4 high = (tested >> 16) != 0 ? uint4(2, 8, 32, 128) : 0;
  uint4 set = low | high;
  return set.x | set.y | set.z | set.w;
}

#else

uint nonzeroBits(uint4 texel) {
  // Adding 0x7F to the low seven bits of a byte carries into its top bit unless they are all 0;
  // the multiplication then gathers the four top bits in one nibble.
  uint4 top = (texel | ((texel & 0x7F7F7F7F) + 0x7F7F7F7F)) & 0x80808080;
  uint4 nibble = ((top >> 7) * 0x10204080) >> 28;
  return nibble.x | (nibble.y << 4) | (nibble.z << 8) | (nibble.w << 12);
}

#endif

static const uint kTexelElements = 16 / ELEMENT_BYTES;
static const uint kWordTexels = 32 / kTexelElements;
static const uint kTexels = kTileElements / kTexelElements;
static const uint kAhead = min(4, kTexels / kGroupThreads);  // loads in flight together
static const uint kRoundTexels = kAhead * kGroupThreads;
static const uint kRoundWords = kRoundTexels / kWordTexels;

// The bits of each texel of a round, one more dword after those of a mask word, so that neither
// writing nor gathering them makes threads wait for the same bank.
groupshared uint texelBits[kRoundTexels + kRoundWords];

[numthreads(kGroupThreads, 1, 1)]
void mark(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint remaining = constantOf(kMarkElements) - (constantOf(kFirst) + tile) * kTileElements;

  // Of texels past the tensor's end nothing is read; the last one may reach past it.
  uint texelCount = (min(remaining, kTileElements) + kTexelElements - 1) / kTexelElements;
  uint base = constantOf(kMarkDataBase) + tile * kTexels;
  uint bits = 0;
  uint i;
  [unroll] for (uint first = 0; first < kTexels; first += kRoundTexels) {
    uint4 texels[kAhead];
    [branch] if (texelCount == kTexels) {
      [unroll] for (i = 0; i < kAhead; ++i) {
        texels[i] = dataTexels[base + first + i * kGroupThreads + thread];
      }
    } else {
      [unroll] for (i = 0; i < kAhead; ++i) {
        texels[i] = 0;
        [branch] if (first + i * kGroupThreads + thread < texelCount) {
          texels[i] = dataTexels[base + first + i * kGroupThreads + thread];
        }
      }
    }
    if (first != 0) GroupMemoryBarrierWithGroupSync();
    [unroll] for (i = 0; i < kAhead; ++i) {
      uint texel = i * kGroupThreads + thread;
      texelBits[texel + texel / kWordTexels] = nonzeroBits(texels[i]);
    }
    GroupMemoryBarrierWithGroupSync();

    [unroll] for (uint part = 0; part < kRoundWords; part += kGroupThreads) {
      uint inRound = part + thread;
      uint mask = 0;
      [unroll] for (i = 0; i < kWordTexels; ++i) {
        mask |= texelBits[inRound * (kWordTexels + 1) + i] << (i * kTexelElements);
      }
      // What lies behind the tensor in its last texel is not ours to count.
      uint word = first / kWordTexels + inRound;
      uint before = word * 32;
      if (before >= remaining) {
        mask = 0;
      } else if (remaining - before < 32) {
        mask &= (1u << (remaining - before)) - 1;
      }
      mask = asStored(mask, word);
      if (inRound < kRoundWords) {
        maskBytes.Store(constantOf(kMarkMaskBase) + tile * kTileMaskBytes + word * 4, mask);
        bits += countbits(mask);
      }
    }
  }
  storeCount(constantOf(kMarkCountsBase) + tile * 4, bits, thread);
}

// NONZERO_COORDINATES, first kernel: which elements are non-zero. A group makes the bit masks of
// whole tiles of 4,096 elements, in element order, and counts their bits. The only kernel that
// reads the input, hence the only one with data-type and stride variants:
//   ELEMENT_BYTES 4, 2, 1   packed input, read as 16-byte texels: 16 KiB, or 1, 2, 4 tiles
//   STRIDED                 any type and strides, read element by element: one tile
// Elements are tested as bits: only +0 and -0 are zero, denormals and NaNs are not, whatever the
// float mode of the hardware.

#include "bindings.hlsli"
#include "carry.hlsli"
#include "wide.hlsli"

#ifdef STRIDED
static const uint kTiles = 1;
#else
static const uint kTiles = 4 / ELEMENT_BYTES;
#endif
static const uint kTileWords = kTileElements / 32;
static const uint kWords = kTiles * kTileWords;

static const uint kPartials = 8;  // threads that add up one tile's bits
groupshared uint wordCounts[kWords];
groupshared uint tileTotals[kTiles];

uint testMask() {
#ifdef MUTANT_MINUS_ZERO_COUNTED
  return ~0u;
#else
  return constantOf(kMarkTestMask);
#endif
}

#ifdef STRIDED

groupshared uint tileMask[kTileWords];
groupshared uint tileCoordinates[8];  // of the tile's first element

// Neighbouring threads take elements that are neighbours in memory, as far as the tile has them:
// the tile is walked along the axis with the shortest stride, kMarkLanes steps of kMarkRun elements
// each, and then one element further.
void markGroup(uint first, uint remaining, uint group, uint thread) {
  uint shift = constantOf(kMarkTypeShift);
  bool wide = constantOf(kMarkWide) != 0;
  uint2 windowFirst = uint2(constantOf(kMarkWindowLo), constantOf(kMarkWindowHi));
  uint axisCount = constantOf(kMarkAxisCount);
  uint lanes = constantOf(kMarkLanes);
  uint run = constantOf(kMarkRun);
  uint width = 8u << shift;
  uint typeMask = width == 32 ? ~0u : (1u << width) - 1;
  typeMask &= testMask();

  if (thread < kTileWords) tileMask[thread] = 0;
  if (thread == 0) {
    uint rest = first;
    for (uint axis = axisCount; axis-- > 0;) {
      uint size = axisOf(kMarkAxes, axis).x;
      uint outer = rest / size;
      tileCoordinates[axis] = rest - outer * size;
      rest = outer;
    }
  }
  GroupMemoryBarrierWithGroupSync();

  uint end = min(remaining, kTileElements);
  for (uint at = thread; at < lanes * run; at += kGroupThreads) {
    uint along = (at * constantOf(kMarkLanesMultiplier)) >> constantOf(kMarkLanesShift);
    uint local = (at - along * lanes) * run + along;
    if (local < end) {
      uint carried = local;
      uint2 offset = 0;
      for (uint axis = axisCount; axis-- > 0;) {
        uint4 extent = axisOf(kMarkAxes, axis);
        uint value = tileCoordinates[axis] + carried;
        carried = carry(value, extent);
        offset = addProduct(offset, value - carried * extent.x, extent.w, wide);
      }
      offset = uint2(offset.x << shift, (offset.y << shift) | ((offset.x >> 16) >> (16 - shift)));

      // An element outside this view is another pass's.
      offset = subtractWide(offset, windowFirst);
      if (offset.y == 0 && offset.x < constantOf(kMarkWindowSize)) {
        uint address = constantOf(kMarkDataBase) + offset.x;
        uint bits = dataBytes.Load(address & ~3u) >> (8 * (address & 3));
        if ((bits & typeMask) != 0) InterlockedOr(tileMask[local >> 5], 1u << (local & 31));
      }
    }
  }
}

uint maskWord(uint word) { return tileMask[word]; }

#else

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
static const uint kTexels = kWords * kWordTexels;
static const uint kPerThread = kTexels / kGroupThreads;

// The bits of each texel, one more dword after those of a mask word, so that neither writing nor
// gathering them makes threads wait for the same bank.
groupshared uint texelBits[kTexels + kWords];

void markGroup(uint first, uint remaining, uint group, uint thread) {
  uint base = constantOf(kMarkDataBase) + group * kTexels + thread;
  // Of texels past the tensor's end nothing is read; the last one may reach past it.
  uint count = min(remaining, kWords * 32);
  uint texelCount = (count + kTexelElements - 1) / kTexelElements;
  uint4 texels[kPerThread];
  uint i;
  // All loads before the first use, so that they are in flight together.
  [branch] if (texelCount == kTexels) {
    [unroll] for (i = 0; i < kPerThread; ++i) texels[i] = dataTexels[base + i * kGroupThreads];
  } else {
    [unroll] for (i = 0; i < kPerThread; ++i) {
      texels[i] = 0;
      [branch] if (thread + i * kGroupThreads < texelCount) {
        texels[i] = dataTexels[base + i * kGroupThreads];
      }
    }
  }
  [unroll] for (i = 0; i < kPerThread; ++i) {
    uint texel = thread + i * kGroupThreads;
    texelBits[texel + texel / kWordTexels] = nonzeroBits(texels[i]);
  }
}

uint maskWord(uint word) {
  uint mask = 0;
  [unroll] for (uint i = 0; i < kWordTexels; ++i) {
    mask |= texelBits[word * (kWordTexels + 1) + i] << (i * kTexelElements);
  }
  return mask;
}

#endif

[numthreads(kGroupThreads, 1, 1)]
void mark(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint group = groupOf(groupId);
  uint tiles = constantOf(kEnd) - constantOf(kFirst);
  uint tile = group * kTiles;  // the group's first, of this pass
  if (tile >= tiles) return;
  uint first = (constantOf(kFirst) + tile) * kTileElements;
  uint remaining = constantOf(kMarkElements) - first;

  if (thread < kTiles) tileTotals[thread] = 0;
  markGroup(first, remaining, group, thread);
  GroupMemoryBarrierWithGroupSync();

  [unroll] for (uint part = 0; part * kGroupThreads < kWords; ++part) {
    uint word = part * kGroupThreads + thread;
    if (word < kWords) {
      // The last texel may reach past the tensor: what lies there is not ours to count.
      uint before = word * 32;
      uint mask = maskWord(word);
      if (before >= remaining) {
        mask = 0;
      } else if (remaining - before < 32) {
        mask &= (1u << (remaining - before)) - 1;
      }
      uint maskAt = constantOf(kMarkMaskBase) + tile * kTileMaskBytes + word * 4;
#ifdef STRIDED
      if (constantOf(kMarkAccumulate) != 0) mask |= maskBytes.Load(maskAt);
#endif
#ifdef MUTANT_TILE_END_LOST
      if (word % kTileWords == kTileWords - 1) mask &= 0x7FFFFFFF;
#endif
      if (tile + word / kTileWords < tiles) maskBytes.Store(maskAt, mask);
      wordCounts[word] = countbits(mask);
    }
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread < kTiles * kPartials) {
    uint sum = 0;
    [unroll] for (uint i = 0; i < kTileWords / kPartials; ++i) {
      sum += wordCounts[thread * (kTileWords / kPartials) + i];
    }
    InterlockedAdd(tileTotals[thread / kPartials], sum);
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread < kTiles && tile + thread < tiles) {
    tileCounts.Store(constantOf(kMarkCountsBase) + (tile + thread) * 4, tileTotals[thread]);
  }
}

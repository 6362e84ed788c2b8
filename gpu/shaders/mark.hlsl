// NONZERO_COORDINATES, first kernel: which elements are non-zero. A group makes the bit mask of
// one tile of 4,096 elements, in element order, and counts its bits. The only kernel that reads
// the input, hence the only one with data-type and stride variants:
//   ELEMENT_BYTES 4, 2, 1   packed input, read as 16-byte texels
//   STRIDED                 any type and strides, read element by element
// Elements are tested as bits: only +0 and -0 are zero, denormals and NaNs are not, whatever the
// float mode of the hardware.

#include "bindings.hlsli"
#include "wide.hlsli"

groupshared uint tileMask[kTileMaskBytes / 4];
groupshared uint tileTotal;

uint testMask() {
#ifdef MUTANT_MINUS_ZERO_COUNTED
  return ~0u;
#else
  return constantOf(kMarkTestMask);
#endif
}

#ifdef STRIDED

// Sets the bits of the tile that starts at element `first`.
void markTile(uint tile, uint first, uint thread) {
  uint shift = constantOf(kMarkTypeShift);
  bool wide = constantOf(kMarkWide) != 0;
  uint2 windowFirst = uint2(constantOf(kMarkWindowLo), constantOf(kMarkWindowHi));
  uint remaining = constantOf(kMarkElements) - first;
  uint axisCount = constantOf(kMarkAxisCount);

  for (uint local = thread; local < min(remaining, kTileElements); local += kGroupThreads) {
    uint rest = first + local;
    uint2 offset = 0;
    for (uint axis = axisCount - 1; axis > 0; --axis) {
      uint4 extent = axisOf(kMarkAxes, axis);
      uint outer = rest / extent.x;
      offset = addProduct(offset, rest - outer * extent.x, extent.y, wide);
      rest = outer;
    }
    offset = addProduct(offset, rest, axisOf(kMarkAxes, 0).y, wide);
    offset = uint2(offset.x << shift, (offset.y << shift) | ((offset.x >> 16) >> (16 - shift)));

    // An element outside this view is another pass's.
    offset = subtractWide(offset, windowFirst);
    if (offset.y == 0 && offset.x < constantOf(kMarkWindowSize)) {
      uint address = constantOf(kMarkDataBase) + offset.x;
      uint bits = dataBytes.Load(address & ~3u) >> (8 * (address & 3));
      uint width = 8u << shift;
      uint typeMask = width == 32 ? ~0u : (1u << width) - 1;
      if ((bits & testMask() & typeMask) != 0) {
        InterlockedOr(tileMask[local >> 5], 1u << (local & 31));
      }
    }
  }
}

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
static const uint kTileTexels = kTileElements / kTexelElements;

void markTile(uint tile, uint first, uint thread) {
  uint at = constantOf(kMarkDataBase) + tile * kTileTexels + thread;
  uint4 texels[kTileTexels / kGroupThreads];
  uint i;
  // All loads before the first use, so that they are in flight together.
  [unroll] for (i = 0; i < kTileTexels / kGroupThreads; ++i) {
    texels[i] = dataTexels[at + i * kGroupThreads];
  }
  [unroll] for (i = 0; i < kTileTexels / kGroupThreads; ++i) {
    uint local = (thread + i * kGroupThreads) * kTexelElements;
    uint bits = nonzeroBits(texels[i]);
    if (bits != 0) InterlockedOr(tileMask[local >> 5], bits << (local & 31));
  }
}

#endif

[numthreads(kGroupThreads, 1, 1)]
void mark(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  if (tile >= constantOf(kEnd) - constantOf(kFirst)) return;
  uint first = (constantOf(kFirst) + tile) * kTileElements;
  uint maskAt = constantOf(kMarkMaskBase) + tile * kTileMaskBytes + thread * 4;

  if (thread < kTileMaskBytes / 4) tileMask[thread] = 0;
  if (thread == 0) tileTotal = 0;
  GroupMemoryBarrierWithGroupSync();
  markTile(tile, first, thread);
  GroupMemoryBarrierWithGroupSync();

  if (thread < kTileMaskBytes / 4) {
    // The last texel may reach past the tensor: what lies there is not ours to count.
    uint remaining = constantOf(kMarkElements) - first;
    uint before = thread * 32;
    uint mask = tileMask[thread];
    if (before >= remaining) {
      mask = 0;
    } else if (remaining - before < 32) {
      mask &= (1u << (remaining - before)) - 1;
    }
#ifdef STRIDED
    if (constantOf(kMarkAccumulate) != 0) mask |= maskBytes.Load(maskAt);
#endif
#ifdef MUTANT_TILE_END_LOST
    if (thread == kTileMaskBytes / 4 - 1) mask &= 0x7FFFFFFF;
#endif
    maskBytes.Store(maskAt, mask);
    if (mask != 0) InterlockedAdd(tileTotal, countbits(mask));
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0) tileCounts.Store(constantOf(kMarkCountsBase) + tile * 4, tileTotal);
}

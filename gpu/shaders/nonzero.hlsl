// NONZERO_COORDINATES of a packed tensor of at most kNonzeroTiles tiles, in one dispatch. A group finds
// the rows of a tile, TEXELS texels per thread, and publishes their number. Then it adds up those of the
// tiles before ("decoupled look-back"). Groups may run in any order and never at the same time. So a
// group looks a few times only, and counts missing tiles itself ("decoupled fallback").
//
// Only atomics read and write the state: a dword per tile, one per chunk of tiles, and the number of
// groups that need it no more. The first two hold rows, and tiles in units of kPublished. All are 0
// before an execution, and the last group leaves them so.

#include "bindings.hlsli"
#include "carry.hlsli"
#include "group_scan.hlsli"
#include "nonzero_bits.hlsli"

static const uint kPublished = 1u << 26;
static const uint kLooks = 64;
static const uint kTileTexels = TEXELS * kRankers;

// Bits of the tile's texels, at most a quarter of its elements; then tiles that are missing.
groupshared uint scratch[2 * kNonzeroTiles];
groupshared uint places[kTileTexels * kTexelElements];  // of the tile's rows: the element
groupshared uint missingTiles;
groupshared uint rowsBefore;
groupshared uint endedGroups;
groupshared uint firstCoordinates[8];  // of the tile, innermost first

// Returns a bit for each non-zero element of a texel of a tile, one of those of a thread.
uint bitsOf(uint tile, uint thread, uint i) {
  uint elements = constantOf(kMarkElements);
  uint texel = tile * kTileTexels + i * kRankers + thread;
  uint element = texel * kTexelElements;
  uint last = (elements - 1) / kTexelElements;
  uint bits = nonzeroBits(dataTexels[constantOf(kNonzeroDataBase) + min(texel, last)]);
  uint left = isRanker(thread) ? elements - min(element, elements) : 0;
  return bits & ((1u << min(left, kTexelElements)) - 1);
}

uint look(uint word) {
  uint value;
  state.InterlockedOr(constantOf(kNonzeroStateBase) + word * 4, 0, value);
  return value;
}

// Returns the rows of tiles [first, first + count), which a word of the state adds up. Where it lacks
// any, adds the tiles that did not publish to those that are missing.
uint rowsOf(uint word, uint first, uint count) {
  uint value = 0;
  [loop] for (uint looks = 0; looks < kLooks && value / kPublished < count; ++looks) {
    value = look(word);
  }
  bool known = value / kPublished == count;
  uint rows = known ? value % kPublished : 0;
  [loop] for (uint tile = known ? first + count : first; tile < first + count; ++tile) {
    value = look(tile);
    rows += value % kPublished;
    if (value == 0) {
      uint at;
      InterlockedAdd(missingTiles, 1, at);
      scratch[at] = tile;
    }
  }
  return rows;
}

// Returns a coordinate. `carried` is what the axes inside it carry to it, then what it carries.
uint coordinate(uint axis, inout uint carried) {
  uint4 constants = axisOf(kNonzeroAxes, axis);
  uint value = firstCoordinates[axis] + carried;
  carried = carry(value, constants);
  return value - carried * constants.x;
}

void writeRow(uint element, uint row) {
  uint at = constantOf(kNonzeroOutBase) + row * constantOf(kNonzeroRowStride);
  uint columnStride = constantOf(kNonzeroColumnStride);
  uint carried = element;
  uint axis;
  [branch] if (columnStride == 0) {
    uint4 values;
    values.w = coordinate(0, carried);
    values.z = coordinate(1, carried);
    values.y = coordinate(2, carried);
    values.x = coordinate(3, carried);
    outTexels[at] = values;
    return;
  }
  at += constantOf(kNonzeroColumns) * columnStride;
  [loop] for (axis = 0; axis < constantOf(kNonzeroColumns); ++axis) {
    at -= columnStride;
    outBytes.Store(at, coordinate(axis, carried));
  }
}

[numthreads(kGroupThreads, 1, 1)]
void nonzero(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint tile = groupOf(groupId);
  uint tiles = constantOf(kEnd);
  if (tile >= tiles) return;
  uint texels[TEXELS];
  uint i;
  [unroll] for (i = 0; i < TEXELS; ++i) texels[i] = bitsOf(tile, thread, i);
  if (thread == 0) {
    missingTiles = 0;
    rowsBefore = 0;
    endedGroups = 0;
  }
  if (thread < constantOf(kNonzeroColumns)) {
    uint4 axis = axisOf(kNonzeroAxes, thread);
    firstCoordinates[thread] = tile * (kTileTexels * kTexelElements) / axis.w % axis.x;
  }
#if TEXELS == 1
  uint bits = texels[0];
#else
  uint bits = 0;
  if (isRanker(thread)) {
    [unroll] for (i = 0; i < TEXELS; ++i) scratch[i * kRankers + thread] = texels[i];
  }
  GroupMemoryBarrierWithGroupSync();
  if (isRanker(thread)) {
    [unroll] for (i = 0; i < TEXELS; ++i) bits |= scratch[thread * TEXELS + i] << i * kTexelElements;
  }
#endif
  uint count;
  uint place = exclusiveSum(countbits(bits), thread, count);
  uint chunks = tile / kNonzeroChunk;
  uint stateAt = constantOf(kNonzeroStateBase);
  if (thread == 0 && tiles > 1) {
    state.InterlockedAdd(stateAt + tile * 4, kPublished + count);
    state.InterlockedAdd(stateAt + (tiles + chunks) * 4, kPublished + count);
  }
  [loop] for (; bits != 0; bits &= bits - 1) {
    places[place++] = thread * (TEXELS * kTexelElements) + firstbitlow(bits);
  }

  uint sum = 0;
  [loop] for (i = thread; i < chunks + tile % kNonzeroChunk; i += kGroupThreads) {
    bool whole = i < chunks;
    uint first = whole ? i * kNonzeroChunk : i - chunks + chunks * kNonzeroChunk;
    sum += rowsOf(whole ? tiles + i : first, first, whole ? kNonzeroChunk : 1);
  }
  GroupMemoryBarrierWithGroupSync();
  [loop] for (uint n = 0; n < missingTiles; ++n) {
    [unroll] for (i = 0; i < TEXELS; ++i) sum += countbits(bitsOf(scratch[n], thread, i));
  }
  if (sum != 0) InterlockedAdd(rowsBefore, sum);
  GroupMemoryBarrierWithGroupSync();

  uint words = tiles + (tiles - 1) / kNonzeroChunk + 1;
  if (thread == kGroupThreads - 1 && tiles > 1) {
    uint ended;
    state.InterlockedAdd(stateAt + words * 4, 1, ended);
    endedGroups = ended + 1;
  }
  if (thread == 0 && tile + 1 == tiles) {
    countBytes.Store(constantOf(kNonzeroCountBase), rowsBefore + count);
  }
  [loop] for (i = thread; i < count; i += kGroupThreads) writeRow(places[i], rowsBefore + i);
  GroupMemoryBarrierWithGroupSync();
  if (endedGroups == tiles) {
    [loop] for (i = thread; i <= words; i += kGroupThreads) state.InterlockedAnd(stateAt + i * 4, 0);
  }
}

// GATHER_ND and GATHER_ND1 of single elements of 4 bytes by tuples of two indices, where tuples and output
// are packed: a thread makes a texel of the output, four elements. It reads their tuples as texels, and
// all before the first element, so that loads are in flight together. Variants: INDEX_BYTES 4 and 8.
// gather_elements.hlsl does the elements behind the last whole texel.

#include "bindings.hlsli"
#include "gather_index.hlsli"

Buffer<uint4> indexTexels : register(t0);  // of a pass that sees its input as dwords

static const uint kTexels = 4 * 2 * INDEX_BYTES / 16;  // of four tuples

[numthreads(kGroupThreads, 1, 1)]
void gatherScalars(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint texel = constantOf(kFirst) + groupOf(groupId) * kGroupThreads + thread;
  if (texel >= constantOf(kEnd)) return;
  uint4 tuples[kTexels];
  uint firstTuple = constantOf(kGatherIndexBase) + texel * kTexels;
  [unroll] for (uint i = 0; i < kTexels; ++i) tuples[i] = indexTexels[firstTuple + i];
#if INDEX_BYTES == 4
  uint4 outer = uint4(tuples[0].xz, tuples[1].xz);
  uint4 inner = uint4(tuples[0].yw, tuples[1].yw);
  uint4 outerUpper = upperOf(outer);
  uint4 innerUpper = upperOf(inner);
#else
  uint4 outer = uint4(tuples[0].x, tuples[1].x, tuples[2].x, tuples[3].x);
  uint4 inner = uint4(tuples[0].z, tuples[1].z, tuples[2].z, tuples[3].z);
#ifdef MUTANT_UPPER_DWORD_IGNORED
  uint4 outerUpper = 0;
  uint4 innerUpper = 0;
#else
  uint4 outerUpper = uint4(tuples[0].y, tuples[1].y, tuples[2].y, tuples[3].y);
  uint4 innerUpper = uint4(tuples[0].w, tuples[1].w, tuples[2].w, tuples[3].w);
#endif
#endif
  uint4 outerAxis = axisOf(kGatherTuple, 0);
  uint4 innerAxis = axisOf(kGatherTuple, 1);
  uint4 source = coordinatesOf(outer, outerUpper, outerAxis) * outerAxis.y +
                 coordinatesOf(inner, innerUpper, innerAxis) * innerAxis.y;
  uint4 address = constantOf(kGatherDataBase) + (source << 2);
  outTexels[constantOf(kGatherOutBase) + texel] =
      uint4(dataBytes.Load(address.x), dataBytes.Load(address.y), dataBytes.Load(address.z),
            dataBytes.Load(address.w));
}

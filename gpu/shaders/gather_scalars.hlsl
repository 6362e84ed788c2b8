// GATHER_ND and GATHER_ND1 of single elements of 4 bytes by tuples of two indices, where tuples and output are
// packed. Of the tuples whole texels are read, and those of a thread before its first element, so that loads
// are in flight together. Variants:
//   WIDE_INDICES=1   indices of 8 bytes: a texel is a tuple, and threads take elements in turn, so that
//                    neighbours read neighbours
//   otherwise        indices of 4 bytes: a thread makes a texel of the output. gather_elements.hlsl does the
//                    elements behind the last whole texel

#include "bindings.hlsli"
#include "gather_index.hlsli"

Buffer<uint4> indexTexels : register(t0);  // of a pass that sees its input as dwords

static const uint kPerThread = 4;

// Four elements, by the components of their tuples and the upper dwords of those.
uint4 elementsAt(uint4 outer, uint4 outerUpper, uint4 inner, uint4 innerUpper) {
  uint4 outerAxis = axisOf(kGatherTuple, 0);
  uint4 innerAxis = axisOf(kGatherTuple, 1);
  uint4 source = coordinatesOf(outer, outerUpper, outerAxis) * outerAxis.y +
                 coordinatesOf(inner, innerUpper, innerAxis) * innerAxis.y;
  uint4 address = constantOf(kGatherDataBase) + (source << 2);
  return uint4(dataBytes.Load(address.x), dataBytes.Load(address.y), dataBytes.Load(address.z),
               dataBytes.Load(address.w));
}

#ifdef WIDE_INDICES

[numthreads(kGroupThreads, 1, 1)]
void gatherScalars(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint first = constantOf(kFirst) + groupOf(groupId) * kGroupThreads * kPerThread + thread;
  uint end = constantOf(kEnd);
  if (first >= end) return;
  uint firstTuple = constantOf(kGatherIndexBase);
  uint4 tuples[kPerThread];
  uint i;
  [unroll] for (i = 0; i < kPerThread; ++i) {
    tuples[i] = indexTexels[firstTuple + min(first + i * kGroupThreads, end - 1)];
  }
  uint4 outer = uint4(tuples[0].x, tuples[1].x, tuples[2].x, tuples[3].x);
  uint4 outerUpper = uint4(tuples[0].y, tuples[1].y, tuples[2].y, tuples[3].y);
  uint4 inner = uint4(tuples[0].z, tuples[1].z, tuples[2].z, tuples[3].z);
  uint4 innerUpper = uint4(tuples[0].w, tuples[1].w, tuples[2].w, tuples[3].w);
  uint4 values = elementsAt(outer, outerUpper, inner, innerUpper);
  [unroll] for (i = 0; i < kPerThread; ++i) {
    uint element = first + i * kGroupThreads;
    if (element < end) outBytes.Store(constantOf(kGatherOutBase) + element * 4, values[i]);
  }
}

#else

[numthreads(kGroupThreads, 1, 1)]
void gatherScalars(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint texel = constantOf(kFirst) + groupOf(groupId) * kGroupThreads + thread;
  if (texel >= constantOf(kEnd)) return;
  uint firstTuples = constantOf(kGatherIndexBase) + texel * 2;
  uint4 tuples = indexTexels[firstTuples];
  uint4 next = indexTexels[firstTuples + 1];
  uint4 outer = uint4(tuples.xz, next.xz);
  uint4 inner = uint4(tuples.yw, next.yw);
  outTexels[constantOf(kGatherOutBase) + texel] =
      elementsAt(outer, upperOf(outer), inner, upperOf(inner));
}

#endif

// GATHER_ND and GATHER_ND1 of single elements of 4 bytes by tuples of two indices of 4 bytes, where tuples and
// output are packed: a thread makes a texel of the output, four elements. It reads their tuples as texels, and
// all before the first element, so that loads are in flight together. gather_elements.hlsl does the elements
// behind the last whole texel, and those by indices of 8 bytes: of their tuples each is a texel, and threads
// that read four apiece took 2 to 7% longer on an H100.

#include "bindings.hlsli"
#include "gather_index.hlsli"

Buffer<uint4> indexTexels : register(t0);  // of a pass that sees its input as dwords

[numthreads(kGroupThreads, 1, 1)]
void gatherScalars(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint texel = constantOf(kFirst) + groupOf(groupId) * kGroupThreads + thread;
  if (texel >= constantOf(kEnd)) return;
  uint firstTuples = constantOf(kGatherIndexBase) + texel * 2;
  uint4 tuples = indexTexels[firstTuples];
  uint4 next = indexTexels[firstTuples + 1];
  uint4 outer = uint4(tuples.xz, next.xz);
  uint4 inner = uint4(tuples.yw, next.yw);
  uint4 outerAxis = axisOf(kGatherTuple, 0);
  uint4 innerAxis = axisOf(kGatherTuple, 1);
  uint4 source = coordinatesOf(outer, upperOf(outer), outerAxis) * outerAxis.y +
                 coordinatesOf(inner, upperOf(inner), innerAxis) * innerAxis.y;
  uint4 address = constantOf(kGatherDataBase) + (source << 2);
  outTexels[constantOf(kGatherOutBase) + texel] =
      uint4(dataBytes.Load(address.x), dataBytes.Load(address.y), dataBytes.Load(address.z),
            dataBytes.Load(address.w));
}

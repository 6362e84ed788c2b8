// A plain copy: what memory allows, for benchmarks to compare the operators' kernels with. 16-byte
// texels, four loads in flight per thread.

#include "bindings.hlsli"

static const uint kPerThread = kCopyTexels / kGroupThreads;

[numthreads(kGroupThreads, 1, 1)]
void copyTexels(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint first = constantOf(kFirst) + groupOf(groupId) * kCopyTexels + thread;
  uint end = constantOf(kEnd);
  uint4 texels[kPerThread];
  uint i;
  [unroll] for (i = 0; i < kPerThread; ++i) {
    texels[i] = dataTexels[min(first + i * kGroupThreads, end - 1)];
  }
  [unroll] for (i = 0; i < kPerThread; ++i) {
    uint at = first + i * kGroupThreads;
    if (at < end) outTexels[at] = texels[i];
  }
}

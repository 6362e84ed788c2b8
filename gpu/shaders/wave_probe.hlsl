// No operator's kernel: what a device must do right with wave operations before it gets kernels that
// use them. A group adds up values as those kernels do, and each thread says where in its wave it is.
// The host compares that: gpu/d3d12/platform/wave_probe.cpp.

#include "bindings.hlsli"
#include "group_scan.hlsli"

[numthreads(kGroupThreads, 1, 1)]
void waveProbe(uint thread : SV_GroupIndex) {
  uint total;
  uint before = exclusiveSum(dataBytes.Load(thread * 4), thread, total);
  uint lane = 0;
  uint lanes = 1;
#ifdef WAVES
  lane = WaveGetLaneIndex();
  lanes = WaveActiveCountBits(true);
#endif
  outBytes.Store4(thread * 16, uint4(before, total, lane, lanes));
}

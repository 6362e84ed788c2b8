// An exclusive prefix sum over the threads of a group:
//
//   uint exclusiveSum(uint value, uint thread, out uint total)
//
// is the sum of `value` over the threads before this one; `total` is the sum over all of them. Every
// thread must call it, in uniform control flow, and a barrier must separate two calls.

#include "waves.hlsli"

#ifdef WAVES

// A wave adds up its own threads, and knows of the others by their sums in group memory. The threads
// of a wave follow one another, and the first one's number is a multiple of 4, the least that waves
// have. More need not be known: waves may have any length, and not all the same.

static const uint kLeastLanes = 4;
static const uint kWaves = kGroupThreads / kLeastLanes;  // at most
groupshared uint waveSums[kWaves];  // by first thread; 0 where no wave begins

uint exclusiveSum(uint value, uint thread, out uint total) {
  uint lane = WaveGetLaneIndex();
  uint lanes = WaveActiveCountBits(true);
  uint wave = (thread - lane) / kLeastLanes;
  uint waveSum = WaveActiveSum(value);
  if (thread % kLeastLanes == 0) waveSums[thread / kLeastLanes] = lane == 0 ? waveSum : 0;
  GroupMemoryBarrierWithGroupSync();
  uint all = 0;
  uint before = 0;
  for (uint first = 0; first < kWaves; first += lanes) {
    uint one = first + lane < kWaves ? waveSums[first + lane] : 0;
    all += one;
    before += first + lane < wave ? one : 0;
  }
  total = WaveActiveSum(all);
  return WaveActiveSum(before) + WavePrefixSum(value);
}

#else

// In two levels of 16, because barriers cost more than the few reads that they save, on processors
// that run a group on one core above all. A kernel of many variants defines SCAN_READS as [loop], for
// the size of its bytecode.

#ifndef SCAN_READS
#define SCAN_READS [unroll]
#endif
static const uint kSegment = 16;
groupshared uint scanValues[kGroupThreads];
groupshared uint scanSegments[kGroupThreads / kSegment];

uint exclusiveSum(uint value, uint thread, out uint total) {
  uint segment = thread / kSegment;
  uint inSegment = thread % kSegment;
  uint i;
  scanValues[thread] = value;
  GroupMemoryBarrierWithGroupSync();
  uint sum = 0;
  SCAN_READS for (i = 0; i < kSegment - 1; ++i) {
    sum += i < inSegment ? scanValues[segment * kSegment + i] : 0;
  }
  if (inSegment == kSegment - 1) scanSegments[segment] = sum + value;
  GroupMemoryBarrierWithGroupSync();
  total = 0;
  SCAN_READS for (i = 0; i < kGroupThreads / kSegment; ++i) {
    uint one = scanSegments[i];
    sum += i < segment ? one : 0;
    total += one;
  }
  return sum;
}

#endif

// An exclusive prefix sum over the threads of a group, for hardware without wave operations.
// Every thread must call it, in uniform control flow. In two levels of 16, because barriers cost
// more than the few reads that they save, on processors that run a group on one core above all.
// A kernel of many variants defines SCAN_READS as [loop], for the size of its bytecode.

#ifndef SCAN_READS
#define SCAN_READS [unroll]
#endif
static const uint kSegment = 16;
groupshared uint scanValues[kGroupThreads];
groupshared uint scanSegments[kGroupThreads / kSegment];

// The sum of `value` over the threads before this one; `total` is the sum over all of them.
uint exclusiveSum(uint value, uint thread, out uint total) {
  uint segment = thread / kSegment;
  uint inSegment = thread % kSegment;
  uint i;
  // Calls may follow one another: what is written here was last read before the other's barrier.
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

// An exclusive prefix sum over the 256 threads of a group, for hardware without wave operations.
// Every thread must call it, in uniform control flow.

groupshared uint scanScratch[2 * kGroupThreads];

// The sum of `value` over the threads before this one; `total` is the sum over all of them.
uint exclusiveSum(uint value, uint thread, out uint total) {
  // Two halves in turn, so that each step needs a single barrier.
  uint at = 0;
  GroupMemoryBarrierWithGroupSync();
  scanScratch[thread] = value;
  GroupMemoryBarrierWithGroupSync();
  [unroll] for (uint reach = 1; reach < kGroupThreads; reach *= 2) {
    uint sum = scanScratch[at + thread];
    if (thread >= reach) sum += scanScratch[at + thread - reach];
    at = kGroupThreads - at;
    scanScratch[at + thread] = sum;
    GroupMemoryBarrierWithGroupSync();
  }
  total = scanScratch[at + kGroupThreads - 1];
  return scanScratch[at + thread] - value;
}

// GATHER_ND and GATHER_ND1 where slices consist of runs of whole 16-byte texels at aligned places: a group copies
// 16 KiB of output. It looks up each of its runs once, keeps where they begin in groupshared memory,
// and copies texels, four loads in flight per thread. A packed slice is one run; a run is called a
// row here. Variants:
//   LONG_ROWS=1   rows of whole groups: each thread looks its group's only row up by itself

#include "bindings.hlsli"
#include "carry.hlsli"
#include "gather_index.hlsli"

static const uint kPerThread = kGroupTexels / kGroupThreads;

// Locates a row, in texels of the input and of the output view.
void locateRow(uint row, out uint source, out uint target) {
  uint address = constantOf(kGatherIndexBase);
  source = 0;
  target = constantOf(kGatherOutBase);
  uint rest = row;
  for (uint axis = constantOf(kGatherAxisCount); axis-- > 0;) {
    uint4 extent = axisOf(kGatherAxes, axis);
    uint coordinate = rest;
    uint outer = 0;
    [branch] if (axis > 0) {
      outer = rest / extent.x;
      coordinate -= outer * extent.x;
    }
    address += coordinate * extent.y;
    target += coordinate * extent.z;
    source += coordinate * inputStride(extent);
    rest = outer;
  }
  source += sliceStart(address);
}

#ifdef LONG_ROWS

[numthreads(kGroupThreads, 1, 1)]
void gatherRows(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint first = constantOf(kFirst) + groupOf(groupId) * kGroupTexels;
  if (first >= constantOf(kEnd)) return;
  uint rowTexels = axisOf(kGatherRow, 0).x;
  uint row = first / rowTexels;
  uint source;
  uint target;
  locateRow(row, source, target);
  uint column = first - row * rowTexels + thread;
  source += column - constantOf(kGatherWindow);
  target += column;

  uint base = constantOf(kGatherDataBase);
  uint windowSize = constantOf(kGatherWindowSize);
  uint4 texels[kPerThread];
  uint i;
  [unroll] for (i = 0; i < kPerThread; ++i) {
    // A texel outside this window of the input is another pass's.
    uint at = source + i * kGroupThreads;
    texels[i] = dataTexels[base + (at < windowSize ? at : 0)];
  }
  [unroll] for (i = 0; i < kPerThread; ++i) {
    uint at = i * kGroupThreads;
    if (source + at < windowSize) outTexels[target + at] = texels[i];
  }
}

#else

groupshared uint rowSource[kGroupTexels];
groupshared uint rowTarget[kGroupTexels];

[numthreads(kGroupThreads, 1, 1)]
void gatherRows(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint group = groupOf(groupId);
  uint length = constantOf(kEnd) - constantOf(kFirst);
  if (group >= (length + kGroupTexels - 1) / kGroupTexels) return;
  uint first = constantOf(kFirst) + group * kGroupTexels;
  uint end = first + min(kGroupTexels, length - group * kGroupTexels);
  uint4 rowAxis = axisOf(kGatherRow, 0);
  uint rowTexels = rowAxis.x;
  uint firstRow = first / rowTexels;
  uint inFirstRow = first - firstRow * rowTexels;
  uint rowCount = (end - 1) / rowTexels - firstRow + 1;

  for (uint row = thread; row < rowCount; row += kGroupThreads) {
    locateRow(firstRow + row, rowSource[row], rowTarget[row]);
  }
  GroupMemoryBarrierWithGroupSync();

  uint base = constantOf(kGatherDataBase);
  uint windowFirst = constantOf(kGatherWindow);
  uint windowSize = constantOf(kGatherWindowSize);
  uint4 texels[kPerThread];
  uint targets[kPerThread];
  bool ours[kPerThread];
  uint i;
  [unroll] for (i = 0; i < kPerThread; ++i) {
    uint at = first + i * kGroupThreads + thread;
    uint inRows = inFirstRow + i * kGroupThreads + thread;  // texels from the first row's start
    uint slot = carry(inRows, rowAxis);
    uint column = inRows - slot * rowTexels;
    slot = min(slot, kGroupTexels - 1);
    // A texel outside this window of the input is another pass's.
    uint source = rowSource[slot] + column - windowFirst;
    targets[i] = rowTarget[slot] + column;
    ours[i] = at < end && source < windowSize;
    texels[i] = dataTexels[base + (ours[i] ? source : 0)];
  }
  [unroll] for (i = 0; i < kPerThread; ++i) {
    if (ours[i]) outTexels[targets[i]] = texels[i];
  }
}

#endif

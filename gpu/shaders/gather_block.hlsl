// GATHER_ND and GATHER_ND1 of elements of 4 and 8 bytes (TWO_DWORDS) where neighbours in the input are
// none in the output: a group moves a block of rows by columns through group memory, read in the order
// in which it lies in the input, written in that of the output. A row is what one tuple selects, at one
// coordinate of all other axes; its columns are the coordinates of one axis of the slice. Blocks that
// follow one another go down the rows, so that what they share of the columns is still in a cache.

#include "bindings.hlsli"
#include "gather_index.hlsli"

#ifdef TWO_DWORDS
typedef uint2 Element;
static const uint kShift = 3;
#else
typedef uint Element;
static const uint kShift = 2;
#endif
static const uint kElements = (kBlockDwords * 4) >> kShift;
static const uint kPerThread = kElements / kGroupThreads;

groupshared uint rowSource[kBlockMostRows];  // elements from the start of this pass's window
groupshared uint rowTarget[kBlockMostRows];  // bytes from the start of the output view
groupshared Element block[kElements + kBlockMostRows];

void locateRow(uint row, uint slot) {
  uint address = constantOf(kGatherIndexBase);
  uint source = 0;
  uint target = 0;
  uint rest = row;
  for (uint axis = constantOf(kGatherAxisCount); axis-- > 0;) {
    uint4 extent = axisOf(kGatherAxes, axis);
    uint coordinate = rest;
    [branch] if (axis > 0) {
      rest = coordinate / extent.x;
      coordinate -= rest * extent.x;
    }
    address += coordinate * extent.y;
    target += coordinate * extent.z;
    source += coordinate * inputStride(extent);
  }
  rowSource[slot] = source + sliceStart(address) - constantOf(kGatherWindow);
  rowTarget[slot] = constantOf(kGatherOutBase) + (target << kShift);
}

[numthreads(kGroupThreads, 1, 1)]
void gatherBlock(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint rowsShift = constantOf(kBlockRowsShift);
  uint columnsShift = constantOf(kBlockColumnsShift);
  uint rowCount = constantOf(kBlockRows);
  uint rowBlocks = (rowCount + (1u << rowsShift) - 1) >> rowsShift;
  uint group = constantOf(kFirst) + groupOf(groupId);
  if (group >= constantOf(kEnd)) return;
  uint columnBlock = group / rowBlocks;
  uint firstColumn = columnBlock << columnsShift;
  uint firstRow = (group - columnBlock * rowBlocks) << rowsShift;
  uint4 columns = axisOf(kBlockColumns, 0);
  uint rowsHere = min(rowCount - firstRow, 1u << rowsShift);
  uint columnsHere = min(columns.x - firstColumn, 1u << columnsShift);

  uint i;
  [unroll] for (i = 0; i < (kBlockMostRows + kGroupThreads - 1) / kGroupThreads; ++i) {
    uint row = i * kGroupThreads + thread;
    if (row < rowsHere) locateRow(firstRow + row, row);
  }
  GroupMemoryBarrierWithGroupSync();

  // An element more for each row, or those who go down a column would wait for the same bank.
  uint pitch = (1u << columnsShift) + 1;
  uint base = constantOf(kGatherDataBase);
  uint windowSize = constantOf(kGatherWindowSize);
  bool readsDown = constantOf(kBlockReadsDown) != 0;
  Element values[kPerThread];
  [unroll] for (i = 0; i < kPerThread; ++i) {
    uint at = i * kGroupThreads + thread;
    uint row = readsDown ? at & ((1u << rowsShift) - 1) : at >> columnsShift;
    uint column = readsDown ? at >> rowsShift : at & ((1u << columnsShift) - 1);
    uint source = rowSource[row] + (firstColumn + column) * columns.w;
    bool ours = row < rowsHere && column < columnsHere && source < windowSize;
#ifdef TWO_DWORDS
    values[i] = dataBytes.Load2(base + (ours ? source << kShift : 0));
#else
    values[i] = dataBytes.Load(base + (ours ? source << kShift : 0));
#endif
  }
  [unroll] for (i = 0; i < kPerThread; ++i) {
    uint at = i * kGroupThreads + thread;
    uint row = readsDown ? at & ((1u << rowsShift) - 1) : at >> columnsShift;
    uint column = readsDown ? at >> rowsShift : at & ((1u << columnsShift) - 1);
    block[row * pitch + column] = values[i];
  }
  GroupMemoryBarrierWithGroupSync();

  [unroll] for (i = 0; i < kPerThread; ++i) {
    uint at = i * kGroupThreads + thread;
    uint row = readsDown ? at >> columnsShift : at & ((1u << rowsShift) - 1);
    uint column = readsDown ? at & ((1u << columnsShift) - 1) : at >> rowsShift;
    // An element outside this window of the input is another pass's.
    uint source = rowSource[row] + (firstColumn + column) * columns.w;
    if (row < rowsHere && column < columnsHere && source < windowSize) {
      uint target = rowTarget[row] + ((firstColumn + column) * columns.z << kShift);
#ifdef TWO_DWORDS
      outBytes.Store2(target, block[row * pitch + column]);
#else
      outBytes.Store(target, block[row * pitch + column]);
#endif
    }
  }
}

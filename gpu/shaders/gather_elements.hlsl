// GATHER_ND and GATHER_ND1 element by element, at any strides. Variants:
//   SUB_DWORD   elements of 1 and 2 bytes: a thread builds the elements of one output dword where
//               the output is packed, else a single element, and sets only the bits it owns
//   TWO_DWORDS  elements of 8 bytes, one per thread
//   otherwise   elements of 4 bytes, one per thread
// A thread looks its elements up side by side, so that their loads are in flight together.

#include "bindings.hlsli"
#include "gather_index.hlsli"

#ifdef SUB_DWORD
static const uint kPerThread = 4;  // at most
#else
static const uint kPerThread = 1;
#endif

struct Elements {
  uint target[kPerThread];  // bytes from the start of the output view
  uint source[kPerThread];  // bytes from the start of the input view; meaningful where `ours`
  bool ours[kPerThread];    // whether this pass's window of the input holds it
};

Elements locateElements(uint at[kPerThread], uint shift) {
  uint address[kPerThread];
  uint target[kPerThread];
  uint source[kPerThread];
  uint rest[kPerThread];
  uint i;
  [unroll] for (i = 0; i < kPerThread; ++i) {
    address[i] = constantOf(kGatherIndexBase);
    target[i] = 0;
    source[i] = constantOf(kGatherStart) - constantOf(kGatherWindow);
    rest[i] = at[i];
  }
  for (uint axis = constantOf(kGatherAxisCount); axis-- > 0;) {
    uint4 extent = axisOf(kGatherAxes, axis);
    uint stride = inputStride(extent);
    uint coordinate[kPerThread];
    [unroll] for (i = 0; i < kPerThread; ++i) {
      coordinate[i] = rest[i];
      [branch] if (axis > 0) {
        rest[i] = coordinate[i] / extent.x;
        coordinate[i] -= rest[i] * extent.x;
      }
      address[i] += coordinate[i] * extent.y;
      target[i] += coordinate[i] * extent.z;
    }
    [branch] if (stride != 0) {  // a batch's or a slice's
      [unroll] for (i = 0; i < kPerThread; ++i) {
        source[i] += coordinate[i] * stride;
      }
    }
  }

  uint tupleSize = constantOf(kGatherTupleSize);
  for (uint component = 0; component < tupleSize; ++component) {
    uint4 axis = axisOf(kGatherTuple, component);
    uint2 index[kPerThread];
    [unroll] for (i = 0; i < kPerThread; ++i) {
      index[i] = loadIndex(address[i]);
      address[i] += constantOf(kGatherTupleStride);
    }
    [unroll] for (i = 0; i < kPerThread; ++i) {
      source[i] += coordinateOf(index[i], axis) * axis.y;
    }
  }

  Elements elements;
  [unroll] for (i = 0; i < kPerThread; ++i) {
    elements.target[i] = constantOf(kGatherOutBase) + (target[i] << shift);
    elements.source[i] = constantOf(kGatherDataBase) + (source[i] << shift);
    elements.ours[i] = source[i] < constantOf(kGatherWindowSize);
  }
  return elements;
}

#ifdef SUB_DWORD

[numthreads(kGroupThreads, 1, 1)]
void gatherElements(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint perThread = constantOf(kGatherPerThread);
  uint shift = constantOf(kGatherTypeShift);
  uint first = constantOf(kFirst) + (groupOf(groupId) * kGroupThreads + thread) * perThread;
  uint end = min(constantOf(kEnd), first + perThread);
  if (first >= end) return;
  uint typeMask = (1u << (8u << shift)) - 1;

  uint i;
  uint at[kPerThread];
  [unroll] for (i = 0; i < kPerThread; ++i) at[i] = min(first + i, end - 1);
  Elements elements = locateElements(at, shift);
  uint values[kPerThread];
  [unroll] for (i = 0; i < kPerThread; ++i) {
    values[i] = 0;
    if (elements.ours[i]) {
      values[i] = dataBytes.Load(elements.source[i] & ~3u) >> (8 * (elements.source[i] & 3));
    }
  }
  uint address = 0;
  uint owned = 0;
  uint bits = 0;
  [unroll] for (i = 0; i < kPerThread; ++i) {
    if (elements.ours[i] && first + i < end) {
      uint place = 8 * (elements.target[i] & 3);
      address = elements.target[i] & ~3u;
      owned |= typeMask << place;
      bits |= (values[i] & typeMask) << place;
    }
  }
  if (owned == ~0u) {
    outBytes.Store(address, bits);
  } else if (owned != 0) {
    // The rest of the dword is a gap, a tail or another thread's: only our own bits may change.
    outBytes.InterlockedAnd(address, ~owned);
    outBytes.InterlockedOr(address, bits);
  }
}

#else

[numthreads(kGroupThreads, 1, 1)]
void gatherElements(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint at[1] = {constantOf(kFirst) + groupOf(groupId) * kGroupThreads + thread};
  if (at[0] >= constantOf(kEnd)) return;
#ifdef TWO_DWORDS
  Elements elements = locateElements(at, 3);
  if (elements.ours[0]) outBytes.Store2(elements.target[0], dataBytes.Load2(elements.source[0]));
#else
  Elements elements = locateElements(at, 2);
  if (elements.ours[0]) outBytes.Store(elements.target[0], dataBytes.Load(elements.source[0]));
#endif
}

#endif

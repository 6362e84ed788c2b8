// GATHER_ND element by element, at any strides. Variants:
//   SUB_DWORD   elements of 1 and 2 bytes: a thread builds the elements of one output dword where
//               the output is packed, else a single element, and sets only the bits it owns
//   otherwise   elements of 4 bytes, one per thread

#include "bindings.hlsli"
#include "gather_index.hlsli"

struct Element {
  uint target;  // bytes from the start of the output view
  uint source;  // bytes from the start of the input view; meaningful where `ours`
  bool ours;    // whether this pass's window of the input holds it
};

Element locateElement(uint at, uint shift) {
  bool wide = constantOf(kGatherWide) != 0;
  uint outerCount = constantOf(kGatherOuterCount);
  uint address = constantOf(kGatherIndexBase);
  uint target = 0;
  uint2 source = 0;
  uint rest = at;
  for (uint axis = constantOf(kGatherAxisCount); axis-- > 0;) {
    uint4 extent = axisOf(kGatherAxes, axis);
    uint outer = axis == 0 ? 0 : rest / extent.x;
    uint coordinate = rest - outer * extent.x;
    if (axis < outerCount) {
      address += coordinate * extent.y;
    } else {
      source = addProduct(source, coordinate, extent.y, wide);
    }
    target += coordinate * extent.z;
    rest = outer;
  }
  source = addWide(source, sliceStart(address));
  source = subtractWide(source, uint2(constantOf(kGatherWindowLo), constantOf(kGatherWindowHi)));

  Element element;
  element.target = constantOf(kGatherOutBase) + (target << shift);
  element.source = constantOf(kGatherDataBase) + (source.x << shift);
  element.ours = (!wide || source.y == 0) && source.x < constantOf(kGatherWindowSize);
  return element;
}

#ifdef SUB_DWORD

[numthreads(kGroupThreads, 1, 1)]
void gatherElements(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint perThread = constantOf(kGatherPerThread);
  uint shift = constantOf(kGatherTypeShift);
  uint at = constantOf(kFirst) + (groupOf(groupId) * kGroupThreads + thread) * perThread;
  uint end = min(constantOf(kEnd), at + perThread);
  uint typeMask = (1u << (8u << shift)) - 1;

  uint address = 0;
  uint owned = 0;
  uint bits = 0;
  for (; at < end; ++at) {
    Element element = locateElement(at, shift);
    if (element.ours) {
      uint value = dataBytes.Load(element.source & ~3u) >> (8 * (element.source & 3));
      uint place = 8 * (element.target & 3);
#ifdef MUTANT_HALVES_SWAPPED
      place ^= 16;
#endif
      address = element.target & ~3u;
      owned |= typeMask << place;
      bits |= (value & typeMask) << place;
    }
  }
#ifdef MUTANT_GAP_OVERWRITTEN
  if (owned != 0) outBytes.Store(address, bits);
#else
  if (owned == ~0u) {
    outBytes.Store(address, bits);
  } else if (owned != 0) {
    // The rest of the dword is a gap, a tail or another thread's: only our own bits may change.
    outBytes.InterlockedAnd(address, ~owned);
    outBytes.InterlockedOr(address, bits);
  }
#endif
}

#else

[numthreads(kGroupThreads, 1, 1)]
void gatherElements(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint at = constantOf(kFirst) + groupOf(groupId) * kGroupThreads + thread;
  if (at < constantOf(kEnd)) {
    Element element = locateElement(at, 2);
    if (element.ours) outBytes.Store(element.target, dataBytes.Load(element.source));
  }
}

#endif

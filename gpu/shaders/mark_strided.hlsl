// NONZERO_COORDINATES, first kernel for an input of any type and strides: makes the bit mask, in
// element order; count.hlsl then ranks and counts its bits. A thread makes one word of it: it walks 32
// elements, and goes from one to the next by the innermost axis's stride. Neighbouring threads walk
// side by side along the axis with the shortest stride, the "lanes", so that what they read at a
// time is adjacent in memory. That takes lanes that are whole words apart in element order; else
// neighbouring threads make neighbouring words.

#include "bindings.hlsli"

// Returns an element's place, in elements from the first that the data view shows; `left` elements
// from this one on are one innermost stride apart.
uint locate(uint element, out uint left) {
  uint place = 0 - constantOf(kStridedWindow);
  uint rest = element;
  left = 0;
  [loop] for (uint axis = constantOf(kStridedAxisCount); axis-- > 0;) {
    uint4 extent = axisOf(kStridedAxes, axis);
    uint outer = rest / extent.x;
    uint coordinate = rest - outer * extent.x;
    if (left == 0) left = extent.x - coordinate;
    place += coordinate * extent.y;
    rest = outer;
  }
  return place;
}

// The element at a place, in the lowest bits; 0 where it is another pass's.
uint load(uint place) {
  bool shown = place < constantOf(kStridedWindowSize);
  uint address =
      constantOf(kStridedDataBase) + (shown ? place << constantOf(kStridedTypeShift) : 0);
  uint bits = dataBytes.Load(address & ~3u) >> (8 * (address & 3));
  return shown ? bits : 0;
}

[numthreads(kGroupThreads, 1, 1)]
void markStrided(uint3 groupId : SV_GroupID, uint thread : SV_GroupIndex) {
  uint group = constantOf(kFirst) + groupOf(groupId);
  if (group >= constantOf(kEnd)) return;

  // A group takes some lanes of some units; a unit is one word of every lane.
  uint lanesShift = constantOf(kStridedLanesShift);
  uint laneBlocks = constantOf(kStridedLaneBlocks);
  uint unitBlock = group / laneBlocks;
  uint lane = ((group - unitBlock * laneBlocks) << lanesShift) + (thread & ((1u << lanesShift) - 1));
  uint unit = unitBlock * (kGroupThreads >> lanesShift) + (thread >> lanesShift);
  if (lane >= constantOf(kStridedLanes) || unit >= constantOf(kStridedUnits)) return;
  uint laneWords = constantOf(kStridedLaneWords);
  uint outer = unit / laneWords;
  uint word = (outer * constantOf(kStridedLanes) + lane) * laneWords + unit - outer * laneWords;
  uint maskWord = word - constantOf(kStridedFirstWord);
  if (maskWord >= constantOf(kStridedWords)) return;

  uint width = 8u << constantOf(kStridedTypeShift);
  uint elementMask = (width == 32 ? ~0u : (1u << width) - 1) & constantOf(kMarkTestMask);
  uint step = constantOf(kStridedStep);
  uint elements = min(constantOf(kMarkElements) - word * 32, 32);
  uint mask = 0;
  uint at = 0;
  [loop] while (at < elements) {
    uint left;
    uint place = locate(word * 32 + at, left);
    uint end = min(elements, at + left);
    [loop] while (end - at >= kAhead) {
      uint bits[kAhead];
      uint i;
      [unroll] for (i = 0; i < kAhead; ++i) {
        bits[i] = load(place);
        place += step;
      }
      [unroll] for (i = 0; i < kAhead; ++i) {
        mask |= (bits[i] & elementMask) != 0 ? 1u << (at + i) : 0;
      }
      at += kAhead;
    }
    [loop] for (; at < end; ++at) {
      mask |= (load(place) & elementMask) != 0 ? 1u << at : 0;
      place += step;
    }
  }

  uint address = constantOf(kMarkMaskBase) + maskWord / kTileWords * kTileRecordBytes +
                 maskWord % kTileWords * 4;
  if (constantOf(kStridedAccumulate) != 0) mask |= maskBytes.Load(address);
  maskBytes.Store(address, mask);
}

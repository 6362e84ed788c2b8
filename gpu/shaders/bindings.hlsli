// Bindings of every kernel. One root signature serves all of them, so that a batch of many
// requests changes pipelines and one root constant between dispatches and nothing else.

#include "constants.h"

cbuffer Root : register(b0) {
  uint constantsAt;  // this pass's first row in `constants`
};

// 64 KiB of constants of many passes. In a constant buffer rather than in root constants because
// vkd3d over lavapipe leaves 32 root dwords, fewer than a pass can need.
cbuffer Constants : register(b1) {
  uint4 constants[4096];
};

Buffer<uint4> dataTexels : register(t0);
ByteAddressBuffer dataBytes : register(t1);
ByteAddressBuffer indexBytes : register(t2);
RWBuffer<uint4> outTexels : register(u0);
RWByteAddressBuffer outBytes : register(u1);
RWByteAddressBuffer countBytes : register(u2);
RWByteAddressBuffer maskBytes : register(u3);
RWByteAddressBuffer tileCounts : register(u4);
RWByteAddressBuffer state : register(u5);

static const uint kAhead = 8;  // loads of a thread in flight together

// A constant of this pass; `dword` is a name of constants.h.
uint constantOf(uint dword) {
  return constants[constantsAt + (dword >> 2)][dword & 3];
}

// The four dwords of an axis in the table that starts at `table`.
uint4 axisOf(uint table, uint axis) {
  return constants[constantsAt + (table >> 2) + axis];
}

// A group's number in a dispatch whose groups may not fit one dimension.
uint groupOf(uint3 group) {
  return group.y * constantOf(kGroupsPerRow) + group.x;
}

// True if the thread has words of a tile's mask.
bool isRanker(uint thread) {
  return kRankers == kGroupThreads || thread < kRankers;
}

// Sizes and places that the host code and the shaders must agree on, written once: included by C++
// and by HLSL alike.
#ifdef __cplusplus
#pragma once
#include <cstdint>
#define LAYOUT_CONSTANT inline constexpr uint32_t
namespace dmlcts::gpu::layout {
#else
#define LAYOUT_CONSTANT static const uint
#endif

// clang-format off

// Work of one thread group.
LAYOUT_CONSTANT kGroupThreads  = 256;
LAYOUT_CONSTANT kTileElements  = 16384;  // NONZERO: elements whose mask one group makes or reads
LAYOUT_CONSTANT kTileWords     = kTileElements / 32;          // of their mask
LAYOUT_CONSTANT kThreadWords   = kTileWords / kGroupThreads;  // 2, whose ranks share a dword
LAYOUT_CONSTANT kTileMaskBytes = kTileWords * 4;
LAYOUT_CONSTANT kTileRecordBytes = kTileMaskBytes + kGroupThreads * 4;  // mask, then ranks
LAYOUT_CONSTANT kScanChunk     = 512;    // NONZERO: tile counts that one group scans
LAYOUT_CONSTANT kGroupTexels   = 1024;  // GATHER rows: 16-byte texels that one group copies

// A pass's constants, in dwords from its first. "Base" is where a tensor's window begins in its
// view: the executor fills it in, in bytes for raw views and in texels of 16 bytes for typed ones.
// Axes are four dwords each, outermost first.

// Every kernel.
LAYOUT_CONSTANT kFirst         = 0;   // first item of this pass: a tile, a texel, an element, …
LAYOUT_CONSTANT kEnd           = 1;   // one past the last
LAYOUT_CONSTANT kGroupsPerRow  = 2;   // groups in one row of the two-dimensional dispatch

// mark: input -> mask, ranks and count of each tile; mark_strided: input -> mask
LAYOUT_CONSTANT kMarkElements   = 3;   // of the whole tensor
LAYOUT_CONSTANT kMarkTestMask   = 4;   // bits of a dword that make an element non-zero
LAYOUT_CONSTANT kMarkMaskBase   = 5;   // of tile kFirst
LAYOUT_CONSTANT kMarkCountsBase = 6;   // of tile kFirst
LAYOUT_CONSTANT kMarkDataBase   = 7;   // of tile kFirst
LAYOUT_CONSTANT kMarkDwords     = 8;

// mark_strided: from kFirst to kEnd are groups; a lane is a coordinate of the axis along which
// neighbouring threads walk
LAYOUT_CONSTANT kStridedTypeShift  = 6;   // log2 of the bytes of an element
LAYOUT_CONSTANT kStridedDataBase   = 7;
LAYOUT_CONSTANT kStridedWindowLo   = 8;   // first byte of the tensor that the data view shows
LAYOUT_CONSTANT kStridedWindowHi   = 9;
LAYOUT_CONSTANT kStridedWindowSize = 10;  // bytes
LAYOUT_CONSTANT kStridedAccumulate = 11;  // 1: add to the mask that an earlier window left
LAYOUT_CONSTANT kStridedWide       = 12;  // 1: element offsets need 64 bits
LAYOUT_CONSTANT kStridedFirstWord  = 13;  // words of the mask that the pass's view shows
LAYOUT_CONSTANT kStridedWords      = 14;
LAYOUT_CONSTANT kStridedLanes      = 15;
LAYOUT_CONSTANT kStridedLanesShift = 16;  // log2 of the lanes of one group
LAYOUT_CONSTANT kStridedLaneBlocks = 17;  // groups for all lanes of a unit
LAYOUT_CONSTANT kStridedLaneWords  = 18;  // words from a lane to the next
LAYOUT_CONSTANT kStridedUnits      = 19;  // words of the mask, per lane
LAYOUT_CONSTANT kStridedStepLo     = 20;  // bytes from an element to the next on the innermost axis
LAYOUT_CONSTANT kStridedStepHi     = 21;
LAYOUT_CONSTANT kStridedAxisCount  = 22;
LAYOUT_CONSTANT kStridedAxes       = 24;  // size, stride in elements
LAYOUT_CONSTANT kStridedDwords     = 24;  // without axes

// count: mask -> ranks and count of each tile
LAYOUT_CONSTANT kCountElements   = 3;  // of the whole tensor
LAYOUT_CONSTANT kCountMaskBase   = 4;  // of tile kFirst
LAYOUT_CONSTANT kCountCountsBase = 5;  // of tile kFirst
LAYOUT_CONSTANT kCountDwords     = 8;

// scan: tile counts -> rows before each tile, and their total
LAYOUT_CONSTANT kScanTiles      = 4;
LAYOUT_CONSTANT kScanCountsBase = 5;
LAYOUT_CONSTANT kScanOutBase    = 6;
LAYOUT_CONSTANT kScanRowsBase   = 7;
LAYOUT_CONSTANT kScanDwords     = 8;

// rows: mask, ranks and scanned counts -> coordinates
LAYOUT_CONSTANT kRowsMaskBase     = 4;   // of tile kFirst
LAYOUT_CONSTANT kRowsCountsBase   = 5;   // of tile kFirst
LAYOUT_CONSTANT kRowsOutBase      = 6;   // of the element (first row, first column) of the window
LAYOUT_CONSTANT kRowsTiles        = 7;   // tiles of the whole tensor
LAYOUT_CONSTANT kRowsFirstRow     = 8;   // the window of the output that this pass writes
LAYOUT_CONSTANT kRowsRowCount     = 9;
LAYOUT_CONSTANT kRowsFirstColumn  = 10;
LAYOUT_CONSTANT kRowsColumnCount  = 11;
LAYOUT_CONSTANT kRowsRowStride    = 12;  // bytes; where rows are one texel or several, in texels
LAYOUT_CONSTANT kRowsColumnStride = 13;  // bytes
LAYOUT_CONSTANT kRowsTexelBase    = 14;  // kRowsOutBase of texels of several rows
LAYOUT_CONSTANT kRowsAxes         = 16;  // size, multiplier, shift (see carry()), elements inside
LAYOUT_CONSTANT kRowsDwords       = 16;

// gather: a unit is a texel in gatherRows, else an element
LAYOUT_CONSTANT kGatherTupleSize   = 3;
LAYOUT_CONSTANT kGatherDataBase    = 4;
LAYOUT_CONSTANT kGatherIndexBase   = 5;
LAYOUT_CONSTANT kGatherOutBase     = 6;
LAYOUT_CONSTANT kGatherWindowLo    = 8;   // first unit of the input that the data view shows
LAYOUT_CONSTANT kGatherWindowHi    = 9;
LAYOUT_CONSTANT kGatherWindowSize  = 10;  // units
LAYOUT_CONSTANT kGatherStartLo     = 11;  // unit of the input at which a row of this pass begins
LAYOUT_CONSTANT kGatherStartHi     = 12;
LAYOUT_CONSTANT kGatherAxisCount   = 13;  // in gatherRows without the one along a row
LAYOUT_CONSTANT kGatherTupleStride = 14;  // bytes between the components of an index tuple
LAYOUT_CONSTANT kGatherIndexBytes  = 15;  // 4 or 8
LAYOUT_CONSTANT kGatherSigned      = 16;  // 1: indices are signed
LAYOUT_CONSTANT kGatherWide        = 17;  // 1: unit offsets need 64 bits
LAYOUT_CONSTANT kGatherTypeShift   = 18;  // log2 of the bytes of an element
LAYOUT_CONSTANT kGatherPerThread   = 7;   // elements that share an output dword and a thread
LAYOUT_CONSTANT kGatherRow         = 20;  // gatherRows only: texels, multiplier, shift (carry())
LAYOUT_CONSTANT kGatherTuple       = 24;  // size, stride in units
LAYOUT_CONSTANT kGatherAxes        = 56;  // size, strides in index bytes, output units, input units:
                                          // a batch has all three, the rest of the tuple array
                                          // none in the input, a slice none in the indices
LAYOUT_CONSTANT kGatherDwords      = 56;  // without axes

// copy: texels [kFirst, kEnd)
LAYOUT_CONSTANT kCopyTexels = 1024;  // that one group copies
LAYOUT_CONSTANT kCopyDwords = 4;

// clang-format on

#ifdef __cplusplus
}  // namespace dmlcts::gpu::layout
#endif
#undef LAYOUT_CONSTANT

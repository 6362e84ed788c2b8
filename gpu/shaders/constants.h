// Sizes and places that the host code and the shaders must agree on, written once: included by C++
// and by HLSL alike.
#ifdef __cplusplus
#pragma once
#include <cstdint>
#define SHARED_CONSTANT inline constexpr uint32_t
namespace dmlcts::gpu::constants {
#else
#define SHARED_CONSTANT static const uint
#endif

// clang-format off

// Work of one thread group.
SHARED_CONSTANT kGroupThreads  = 256;
SHARED_CONSTANT kTileElements  = 16384;  // NONZERO: elements whose mask one group makes or reads
SHARED_CONSTANT kTileWords     = kTileElements / 32;          // of their mask
SHARED_CONSTANT kRankers       = kGroupThreads;  // threads that rank words of the mask
SHARED_CONSTANT kThreadWords   = kTileWords / kRankers;  // two at least: two ranks share a dword
SHARED_CONSTANT kTileMaskBytes = kTileWords * 4;
SHARED_CONSTANT kTileRecordBytes = kTileMaskBytes + kTileWords * 2;  // mask, then ranks
SHARED_CONSTANT kNonzeroTiles  = 512;    // NONZERO in one dispatch: at most, for passes are as fast
SHARED_CONSTANT kNonzeroChunk  = 32;     // tiles that a dword of the state adds up
SHARED_CONSTANT kScanChunk     = 512;    // NONZERO: tile counts that one group scans
SHARED_CONSTANT kFewTiles      = 4096;   // NONZERO: so many take no scan
SHARED_CONSTANT kGroupTexels   = 1024;  // GATHER rows: 16-byte texels that one group copies
SHARED_CONSTANT kBlockDwords   = 2048;  // GATHER blocks: elements that one group moves, in dwords
SHARED_CONSTANT kBlockMostRows = 256;

// A pass's constants, in dwords from its first. "Base" is where a tensor's window begins in its
// view: the executor fills it in, in bytes for raw views and in texels of 16 bytes for typed ones.
// Axes are four dwords each, outermost first.

// Every kernel.
SHARED_CONSTANT kFirst         = 0;   // first item of this pass: a tile, a texel, an element, …
SHARED_CONSTANT kEnd           = 1;   // one past the last
SHARED_CONSTANT kGroupsPerRow  = 2;   // groups in one row of the two-dimensional dispatch

// mark: input -> mask, ranks and count of each tile; mark_strided: input -> mask
SHARED_CONSTANT kMarkElements   = 3;   // of the whole tensor
SHARED_CONSTANT kMarkTestMask   = 4;   // bits of a dword that make an element non-zero
SHARED_CONSTANT kMarkMaskBase   = 5;   // of tile kFirst
SHARED_CONSTANT kMarkCountsBase = 6;   // of tile kFirst
SHARED_CONSTANT kMarkDataBase   = 7;   // of tile kFirst
SHARED_CONSTANT kMarkDwords     = 8;

// mark_strided: from kFirst to kEnd are groups; a lane is a coordinate of the axis along which
// neighbouring threads walk. No tensor has more than 2^32 - 1 elements, gaps and all.
SHARED_CONSTANT kStridedTypeShift  = 6;   // log2 of the bytes of an element
SHARED_CONSTANT kStridedDataBase   = 7;
SHARED_CONSTANT kStridedWindow     = 8;   // first element of the tensor that the data view shows
SHARED_CONSTANT kStridedWindowSize = 9;   // elements
SHARED_CONSTANT kStridedAccumulate = 10;  // 1: add to the mask that an earlier window left
SHARED_CONSTANT kStridedFirstWord  = 11;  // words of the mask that the pass's view shows
SHARED_CONSTANT kStridedWords      = 12;
SHARED_CONSTANT kStridedLanes      = 13;
SHARED_CONSTANT kStridedLanesShift = 14;  // log2 of the lanes of one group
SHARED_CONSTANT kStridedLaneBlocks = 15;  // groups for all lanes of a unit
SHARED_CONSTANT kStridedLaneWords  = 16;  // words from a lane to the next
SHARED_CONSTANT kStridedUnits      = 17;  // words of the mask, per lane
SHARED_CONSTANT kStridedStep       = 18;  // elements from one to the next on the innermost axis
SHARED_CONSTANT kStridedAxisCount  = 19;
SHARED_CONSTANT kStridedAxes       = 20;  // size, stride in elements
SHARED_CONSTANT kStridedDwords     = 20;  // without axes

// count: mask -> ranks and count of each tile
SHARED_CONSTANT kCountElements   = 3;  // of the whole tensor
SHARED_CONSTANT kCountMaskBase   = 4;  // of tile kFirst
SHARED_CONSTANT kCountCountsBase = 5;  // of tile kFirst
SHARED_CONSTANT kCountDwords     = 8;

// scan: tile counts -> rows before each tile, and their total
SHARED_CONSTANT kScanTiles      = 4;
SHARED_CONSTANT kScanCountsBase = 5;
SHARED_CONSTANT kScanOutBase    = 6;
SHARED_CONSTANT kScanRowsBase   = 7;
SHARED_CONSTANT kScanDwords     = 8;

// rows, row_ends: mask, ranks and counts -> coordinates
SHARED_CONSTANT kRowsTexelRows    = 3;   // row_ends only: rows that share a texel
SHARED_CONSTANT kRowsMaskBase     = 4;   // of tile kFirst
SHARED_CONSTANT kRowsCountsBase   = 5;   // of tile kFirst; where kRowsScanned is 0, of tile 0
SHARED_CONSTANT kRowsOutBase      = 6;   // of the element (first row, first column) of the window
SHARED_CONSTANT kRowsTiles        = 7;   // tiles of the whole tensor
SHARED_CONSTANT kRowsFirstRow     = 8;   // the window of the output that this pass writes
SHARED_CONSTANT kRowsRowCount     = 9;
SHARED_CONSTANT kRowsFirstColumn  = 10;
SHARED_CONSTANT kRowsColumnCount  = 11;
SHARED_CONSTANT kRowsRowStride    = 12;  // bytes; where rows are one texel or several, in texels
SHARED_CONSTANT kRowsColumnStride = 13;  // bytes
SHARED_CONSTANT kRowsTexelBase    = 14;  // kRowsOutBase of texels of several rows
SHARED_CONSTANT kRowsScanned      = 15;  // 1: rows before each tile; 0: the counts of all tiles
SHARED_CONSTANT kRowsCountBase    = 16;  // of the operator's count, where this pass writes it
SHARED_CONSTANT kRowsWritesCount  = 18;  // 1: this pass does; one of those that are not scanned
SHARED_CONSTANT kRowsEndsApart    = 17;  // 1: row_ends writes what is no whole texel
SHARED_CONSTANT kRowsAxisCount    = 19;
SHARED_CONSTANT kRowsAxes         = 20;  // size, multiplier, shift (see carry()), elements inside
SHARED_CONSTANT kRowsDwords       = 20;

// nonzero: input -> coordinates and count
SHARED_CONSTANT kNonzeroDataBase     = 5;
SHARED_CONSTANT kNonzeroStateBase    = 6;
SHARED_CONSTANT kNonzeroCountBase    = 7;
SHARED_CONSTANT kNonzeroOutBase      = 8;
SHARED_CONSTANT kNonzeroRowStride    = 9;   // bytes; where a row is one texel, in texels
SHARED_CONSTANT kNonzeroColumnStride = 10;  // bytes; 0 where a row is one texel
SHARED_CONSTANT kNonzeroColumns      = 11;
SHARED_CONSTANT kNonzeroAxes         = 12;  // as kRowsAxes, innermost first
SHARED_CONSTANT kNonzeroDwords       = 12;

// gather: a unit is a texel in gatherRows, else an element; from kFirst to kEnd are blocks in
// gatherBlock
SHARED_CONSTANT kGatherTupleSize   = 3;
SHARED_CONSTANT kGatherDataBase    = 4;
SHARED_CONSTANT kGatherIndexBase   = 5;
SHARED_CONSTANT kGatherOutBase     = 6;
SHARED_CONSTANT kGatherPerThread   = 7;   // elements that share an output dword and a thread
SHARED_CONSTANT kGatherWindow      = 8;   // first unit of the input that the data view shows
SHARED_CONSTANT kGatherWindowSize  = 9;   // units
SHARED_CONSTANT kGatherStart       = 10;  // unit of the input at which a row of this pass begins
SHARED_CONSTANT kGatherAxisCount   = 11;  // in gatherRows without the one along a row
SHARED_CONSTANT kGatherTupleStride = 12;  // bytes between the components of an index tuple
SHARED_CONSTANT kGatherIndexBytes  = 13;  // 4 or 8
SHARED_CONSTANT kGatherTypeShift   = 15;  // log2 of the bytes of an element
SHARED_CONSTANT kGatherRow         = 16;  // gatherRows only: texels, multiplier, shift (carry())
SHARED_CONSTANT kBlockColumns      = 16;  // gatherBlock only: as kGatherAxes
SHARED_CONSTANT kGatherTuple       = 20;  // last coordinate, stride in units, size where indices are
                                          // signed, else 0
SHARED_CONSTANT kBlockRows         = 52;  // gatherBlock only: rows of this pass
SHARED_CONSTANT kBlockRowsShift    = 53;  // log2 of the rows of a block
SHARED_CONSTANT kBlockColumnsShift = 54;  // log2 of its columns
SHARED_CONSTANT kBlockReadsDown    = 55;  // 1: read down the rows, written along the columns
SHARED_CONSTANT kGatherAxes        = 56;  // size, strides in index bytes, output units, input units:
                                          // a batch has all three, the rest of the tuple array
                                          // none in the input, a slice none in the indices
SHARED_CONSTANT kGatherDwords      = 56;  // without axes

// copy: texels [kFirst, kEnd)
SHARED_CONSTANT kCopyTexels = 1024;  // that one group copies
SHARED_CONSTANT kCopyDwords = 4;

// clang-format on

#ifdef __cplusplus
}  // namespace dmlcts::gpu::constants
#endif
#undef SHARED_CONSTANT

#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gpu/shaders/constants.h"
#include "reference/descriptor.h"

// How an operator runs on a GPU: dispatches, and what each is bound to. Pure data, made on the host
// without a device.

namespace dmlcts::gpu {

// What one dispatch and one view may span, and how large groups are. The defaults are what Direct3D
// 12 promises, and the shipped kernels have.
struct PlanLimits {
  uint32_t maxGroupsPerDimension = 65535;
  uint64_t maxViewTexels = uint64_t{1} << 27;  // of a typed view; a raw view's are of 4 bytes
  uint64_t maxViewBytes = uint64_t{1} << 31;   // of any view
  uint64_t maxUnscannedTiles = constants::kFewTiles;
  bool onePass = true;  // may a tile that is a whole tensor be marked by the pass that writes rows
  uint32_t groupThreads = constants::kGroupThreads;

  // With which small tensors take every way that huge ones do.
  static constexpr PlanLimits low() {
    PlanLimits limits;
    limits.maxGroupsPerDimension = 3;
    limits.maxViewBytes = 131072;
    limits.maxUnscannedTiles = 2;
    limits.onePass = false;
    return limits;
  }

  bool operator==(const PlanLimits&) const = default;

  // Bytes that a plan lets a raw view (dwords) or a typed one (16-byte texels) show. Less than the
  // view's limit by what the executor may need to align the view's start and end.
  uint64_t rawWindow() const { return window(4); }
  uint64_t typedWindow() const { return window(16); }

 private:
  uint64_t window(uint64_t texelBytes) const;
};

// The shaders, named as in gpu/shaders/manifest.txt.
enum class Shader : uint8_t {
  Mark4,
  Mark2,
  Mark1,
  MarkStrided,
  Count,
  Scan,
  Rows1,  // this and the next seven in a row: a shader per number of columns
  Rows2,
  Rows3,
  Rows4,
  Rows5,
  Rows6,
  Rows7,
  Rows8,
  Rows1Texels,
  Rows2Texels,
  Rows4Texels,
  Rows8Texels,
  RowsColumn,
  RowEnds1,
  RowEnds2,
  GatherRows,
  GatherLongRows,
  Gather4,
  Gather8,
  GatherSub,
  GatherScalars,
  GatherScalarsWide,
  GatherBlock4,
  GatherBlock8,
  Copy,       // no operator's: the ceiling that benchmarks compare the others with
  WaveProbe,  // nor this: what shows that a device has the wave operations that others use
};
inline constexpr std::array<std::string_view, 32> kShaderNames{
    "mark_4",
    "mark_2",
    "mark_1",
    "mark_strided",
    "count",
    "scan",
    "rows_1",
    "rows_2",
    "rows_3",
    "rows_4",
    "rows_5",
    "rows_6",
    "rows_7",
    "rows_8",
    "rows_1_texels",
    "rows_2_texels",
    "rows_4_texels",
    "rows_8_texels",
    "rows_column",
    "row_ends_1",
    "row_ends_2",
    "gather_rows",
    "gather_long_rows",
    "gather_4",
    "gather_8",
    "gather_sub",
    "gather_scalars",
    "gather_scalars_wide",
    "gather_block_4",
    "gather_block_8",
    "copy",
    "wave_probe",
};
constexpr std::string_view name(Shader shader) { return kShaderNames[static_cast<size_t>(shader)]; }

// The registers of bindings.hlsli, in the order of the descriptor table.
enum class Register : uint8_t {
  DataTexels,  // t0
  DataBytes,   // t1
  IndexBytes,  // t2
  OutTexels,   // u0
  OutBytes,    // u1
  CountBytes,  // u2
  MaskBytes,   // u3
  TileCounts,  // u4
};
inline constexpr size_t kRegisters = 8;
constexpr bool isTyped(Register r) { return r == Register::DataTexels || r == Register::OutTexels; }

// A tensor of the operator by its slot, inputs and outputs numbered each from 0; or temporaries.
struct Memory {
  enum class Kind : uint8_t { Input, Output, Temporary };
  Kind kind = Kind::Input;
  uint32_t slot = 0;  // 0 for Temporary
};

// Bytes [offset, offset + bytes) of a memory, seen through a register. The executor writes to
// constant `baseAt` where the window begins in the view it made: in texels of 16 bytes when the
// register is typed (then `offset` is a multiple of 16), else in bytes.
struct Binding {
  Register where = Register::DataBytes;
  Memory memory;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint32_t baseAt = 0;
};

struct Pass {
  Shader shader = Shader::Scan;
  uint32_t stage = 0;    // passes of one stage are independent; a barrier separates the stages
  uint32_t groupsX = 1;  // one-dimensional work is folded into two dimensions
  uint32_t groupsY = 1;
  std::vector<Binding> bindings;
  std::vector<uint32_t> constants;  // see gpu/shaders/constants.h; a multiple of 4 long
};

struct Plan {
  std::vector<Pass> passes;     // ordered by stage
  uint64_t temporaryBytes = 0;  // a multiple of 256
  // Whether a pass reads temporaries as an input (through t0 to t2), which no other request's pass
  // may then be writing.
  bool readsTemporaries = false;
};

// Groups of one dispatch: `groups` of them, at least one, in rows of at most the limit, as long as
// each other: groups with nothing to do are fewer than rows.
struct GroupGrid {
  uint32_t x;
  uint32_t y;
};
GroupGrid gridOf(uint64_t groups, const PlanLimits& limits);

// Groups that one dispatch can have.
uint64_t maxGroups(const PlanLimits& limits);

}  // namespace dmlcts::gpu

#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gpu/shaders/constants.h"
#include "reference/descriptor.h"

// An operator's execution on a GPU: dispatches and their bindings. Pure data, created on the host
// without a device.

namespace dmlcts::gpu {

// Limits of one dispatch and one view. Defaults are Direct3D 12's guarantees.
struct PlanLimits {
  uint32_t maxGroupsPerDimension = 65535;
  uint64_t maxViewTexels = uint64_t{1} << 27;  // of a typed view; of 4 bytes in a raw one
  uint64_t maxViewBytes = uint64_t{1} << 31;   // of any view
  uint64_t maxUnscannedTiles = constants::kFewTiles;
  uint64_t maxTilesInOneDispatch = constants::kNonzeroTiles;

  // Limits under which small tensors take every path of huge ones.
  static constexpr PlanLimits low() {
    PlanLimits limits;
    limits.maxGroupsPerDimension = 3;
    limits.maxViewBytes = 131072;
    limits.maxUnscannedTiles = 2;
    limits.maxTilesInOneDispatch = 0;
    return limits;
  }

  bool operator==(const PlanLimits&) const = default;

  // Return the bytes that a plan may show in a raw (dwords) or typed view (16-byte texels). Less
  // than the view's limit, so that the executor can align the view's start and end.
  uint64_t rawWindow() const { return window(4); }
  uint64_t typedWindow() const { return window(16); }

 private:
  uint64_t window(uint64_t texelBytes) const;
};

// The shaders, named as in gpu/shaders/manifest.txt.
enum class Shader : uint8_t {
  Nonzero4,
  Nonzero2,
  Nonzero1,
  Nonzero4Long,  // with as many texels per thread as an element has bytes
  Nonzero2Long,
  Mark4,
  Mark2,
  Mark1,
  MarkStrided,
  Count,
  Scan,
  Rows1,  // this and the next seven in order: a shader per number of columns
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
  RowsApart,
  RowEnds,
  GatherRows,
  GatherLongRows,
  Gather4,
  Gather8,
  GatherSub,
  GatherScalars,
  GatherScalarsWide,
  GatherBlock4,
  GatherBlock8,
  Copy,  // of no operator: the benchmarks' ceiling
};
inline constexpr std::array<std::string_view, 35> kShaderNames{
    "nonzero_4",
    "nonzero_2",
    "nonzero_1",
    "nonzero_4_long",
    "nonzero_2_long",
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
    "rows_apart",
    "row_ends",
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
  State,       // u5
};
inline constexpr size_t kRegisters = 9;
constexpr bool isTyped(Register r) { return r == Register::DataTexels || r == Register::OutTexels; }

// A tensor of the operator by its slot (inputs and outputs each count from 0), the temporary, or
// the state. The state is 0 before an execution and again after it.
struct Memory {
  enum class Kind : uint8_t { Input, Output, Temporary, State };
  Kind kind = Kind::Input;
  uint32_t slot = 0;  // 0 for Temporary and State
};

// Bytes [offset, offset + bytes) of a memory, seen through a register. The executor writes the
// window's start in its view to constant `baseAt`. For typed registers it is in texels and `offset`
// is a multiple of 16; else in bytes.
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
  std::vector<uint32_t> constants;  // see gpu/shaders/constants.h; length is a multiple of 4
};

struct Plan {
  std::vector<Pass> passes;     // ordered by stage
  uint64_t temporaryBytes = 0;  // a multiple of 256
  uint64_t stateBytes = 0;      // too
  // True if a pass reads temporaries as inputs (through t0 to t2). Then no other request's pass may
  // be writing them.
  bool readsTemporaries = false;
};

// Folds `groups` (at least 1) into rows of equal length within the limit. Leaves fewer idle groups
// than rows.
struct GroupGrid {
  uint32_t x;
  uint32_t y;
};
GroupGrid gridOf(uint64_t groups, const PlanLimits& limits);

// Returns the most groups that one dispatch can have.
uint64_t maxGroups(const PlanLimits& limits);

}  // namespace dmlcts::gpu

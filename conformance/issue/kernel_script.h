#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/run/judge.h"
#include "gpu/operators/plan.h"

namespace dmlcts {

// What our kernels do for a case, for scripts that other projects' test suites run: buffers, each
// seen through one register, dispatches one after another, and dwords that must then be there.
struct KernelScript {
  struct Buffer {
    gpu::Register where;
    std::vector<uint8_t> bytes;  // before the first dispatch; a multiple of 16 long
  };
  struct Pass {
    gpu::Shader shader;
    uint32_t groupsX;
    uint32_t groupsY;
    std::vector<uint32_t> constants;  // as gpu/shaders/constants.h has them; a multiple of 4 long
  };
  struct Dword {
    gpu::Register where;
    uint64_t at;  // in dwords
    uint32_t value;
  };
  std::vector<Buffer> buffers;
  std::vector<Pass> passes;
  std::vector<Dword> expected;  // by register, ascending
  std::string note;             // what is not quite as in the run, or ""
};

// Buffers larger than this, or more expected dwords, make no script that anybody reads.
inline constexpr uint64_t kMostScriptBytes = 64 << 10;
inline constexpr size_t kMostScriptDwords = 2048;

// Throws std::invalid_argument where a script cannot hold it, saying why.
KernelScript kernelScript(const PreparedCase& prepared, const gpu::PlanLimits& limits);

// "t0" to "t2", "u0" to "u4"
std::string registerName(gpu::Register where);
constexpr bool isOutput(gpu::Register where) { return where >= gpu::Register::OutTexels; }

}  // namespace dmlcts

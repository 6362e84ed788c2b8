#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "gpu/shaders/constants.h"

// Variants of all kernels, right ones, that exist to exercise the shader compilers of drivers: the
// same sources as other bytecode. ./variants makes them.

namespace dmlcts::gpu {

struct KernelVariant {
  std::string_view name;
  std::string_view description;  // one sentence
  uint32_t groupThreads = constants::kGroupThreads;
  bool waves = true;  // its DXIL uses wave operations
};

// A line for each, which ./variants reads, too.
inline constexpr KernelVariant kKernelVariants[] = {
    {"unoptimized", "Compiled with /Od by FXC and -Od by DXC, in place of /O3 and -O3."},
    {"loops", "Loops that are unrolled otherwise are kept as loops."},
    {"64-threads", "Groups of 64 threads in place of 256.", 64},
    {"1024-threads", "Groups of 1,024 threads in place of 256.", 1024},
    {"no-waves", "DXIL without wave operations, as DXBC is.", constants::kGroupThreads, false},
};

// Null where there is none of that name.
constexpr const KernelVariant* findKernelVariant(std::string_view name) {
  const auto* found = std::ranges::find(kKernelVariants, name, &KernelVariant::name);
  return found == std::end(kKernelVariants) ? nullptr : found;
}

}  // namespace dmlcts::gpu

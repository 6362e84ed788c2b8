#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "gpu/shaders/bytecode.h"

namespace dmlcts::gpu {

// The Vulkan binding, of set 0, that spirvOf() gives to a register: kSpirvConstants to b1, then t0
// to t2 and u0 to u4 in the order of gpu::Register. b0 is in push constants.
inline constexpr uint32_t kSpirvConstants = 0;
inline constexpr uint32_t kSpirvFirstRegister = 1;

// A kernel's bytecode as this machine's libvkd3d-shader hands it to Vulkan drivers: what made it
// ("libvkd3d-shader 1.2, shader model 5.1"), a line feed, SPIR-V. Throws std::runtime_error where
// there is none, or it does not take the bytecode: versions before 1.3 know no DXIL.
std::string spirvOf(std::span<const uint8_t> bytecode, ShaderModel model);

}  // namespace dmlcts::gpu

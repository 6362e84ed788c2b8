#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// The compiled shaders of manifest.txt.

namespace dmlcts::gpu {

// DXBC of a shader, or, with a mutant's name, of that deliberately wrong variant where the shader
// has one and of the right one where it has not. Throws std::out_of_range for an unknown shader.
std::span<const uint8_t> bytecodeOf(std::string_view shader, std::string_view mutant = {});

}  // namespace dmlcts::gpu

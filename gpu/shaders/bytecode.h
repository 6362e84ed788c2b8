#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// The compiled shaders of manifest.txt.

namespace dmlcts::gpu {

// The shader model of bytecode, which implies its format.
enum class ShaderModel : uint8_t {
  Sm5_1,  // DXBC
  Sm6_0,  // DXIL
};

// "5.1"
constexpr std::string_view name(ShaderModel model) {
  return model == ShaderModel::Sm5_1 ? "5.1" : "6.0";
}

// Returns the extension of bytecode files, such as ".dxbc".
constexpr std::string_view extension(ShaderModel model) {
  return model == ShaderModel::Sm5_1 ? ".dxbc" : ".dxil";
}

// Returns a shader's bytecode. Throws std::out_of_range for an unknown shader.
std::span<const uint8_t> bytecodeOf(ShaderModel model, std::string_view shader);

}  // namespace dmlcts::gpu

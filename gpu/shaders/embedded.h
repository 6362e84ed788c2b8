#pragma once

#include <string_view>
#include <vector>

// The output of embed.cmake.

namespace dmlcts::gpu {

struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

const std::vector<EmbeddedFile>& shaderBytecode();  // aligned to 4 bytes

}  // namespace dmlcts::gpu

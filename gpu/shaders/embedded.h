#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

// The output of embed.cmake.

namespace dmlcts::gpu {

struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

extern const EmbeddedFile kShaderFiles[];
extern const size_t kShaderFileCount;

}  // namespace dmlcts::gpu

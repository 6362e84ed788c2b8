#include "gpu/shaders/bytecode.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "gpu/shaders/embedded.h"

namespace dmlcts::gpu {

std::span<const uint8_t> bytecodeOf(ShaderModel model, std::string_view shader) {
  const std::string name = std::string(shader) + std::string(extension(model));
  const auto file = std::ranges::find(shaderBytecode(), name, &EmbeddedFile::name);
  if (file == shaderBytecode().end()) throw std::out_of_range("no bytecode " + name);
  return {reinterpret_cast<const uint8_t*>(file->text.data()), file->text.size()};
}

}  // namespace dmlcts::gpu

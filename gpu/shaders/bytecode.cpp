#include "gpu/shaders/bytecode.h"

#include <algorithm>
#include <fstream>
#include <iterator>
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

std::vector<uint8_t> bytecodeIn(const std::filesystem::path& folder, ShaderModel model,
                                std::string_view shader) {
  const std::filesystem::path file = folder / (std::string(shader) + std::string(extension(model)));
  std::ifstream stream(file, std::ios::binary);
  std::vector<uint8_t> bytes(std::istreambuf_iterator<char>(stream), {});
  if (bytes.empty()) throw std::runtime_error(file.string() + ": cannot be read, or is empty");
  return bytes;
}

}  // namespace dmlcts::gpu

#include "gpu/shaders/bytecode.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "gpu/shaders/compiled/dxbc/index.h"
#include "gpu/shaders/compiled/dxil/index.h"

namespace dmlcts::gpu {

namespace {

struct Entry {
  std::string_view name;
  std::span<const uint32_t> words;
};

#define DMLCTS_ENTRY(name, words) Entry{name, words},
constexpr Entry kDxbc[] = {DMLCTS_DXBC(DMLCTS_ENTRY)};
constexpr Entry kDxil[] = {DMLCTS_DXIL(DMLCTS_ENTRY)};
#undef DMLCTS_ENTRY

}  // namespace

std::span<const uint8_t> bytecodeOf(ShaderModel model, std::string_view shader) {
  const std::span<const Entry> entries = model == ShaderModel::Sm5_1 ? std::span(kDxbc) : kDxil;
  const auto entry = std::ranges::find(entries, shader, &Entry::name);
  if (entry == entries.end()) {
    throw std::out_of_range("no bytecode for the shader " + std::string(shader));
  }
  return {reinterpret_cast<const uint8_t*>(entry->words.data()), entry->words.size_bytes()};
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

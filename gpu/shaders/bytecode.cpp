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
  std::string_view name;  // "scan" or "scan@scan-carry-dropped"
  std::span<const uint32_t> words;
};

#define DMLCTS_ENTRY(name, words) Entry{name, words},
constexpr Entry kDxbc[] = {DMLCTS_DXBC(DMLCTS_ENTRY)};
constexpr Entry kDxil[] = {DMLCTS_DXIL(DMLCTS_ENTRY)};
#undef DMLCTS_ENTRY

const Entry* find(ShaderModel model, std::string_view name) {
  const std::span<const Entry> entries = model == ShaderModel::Sm5_1 ? std::span(kDxbc) : kDxil;
  const auto found = std::ranges::find(entries, name, &Entry::name);
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace

std::span<const uint8_t> bytecodeOf(ShaderModel model, std::string_view shader,
                                    std::string_view mutant) {
  const Entry* entry = nullptr;
  if (!mutant.empty()) entry = find(model, std::string(shader) + "@" + std::string(mutant));
  if (!entry) entry = find(model, shader);
  if (!entry) throw std::out_of_range("no bytecode for the shader " + std::string(shader));
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

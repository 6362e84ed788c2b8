#include "gpu/shaders/bytecode.h"

#include <stdexcept>
#include <string>

#include "gpu/shaders/compiled/index.h"

namespace dmlcts::gpu {

namespace {

struct Entry {
  std::string_view name;  // "scan" or "scan@scan-carry-dropped"
  std::span<const uint32_t> words;
};

#define DMLCTS_ENTRY(name, words) Entry{name, words},
const Entry kEntries[] = {DMLCTS_BYTECODES(DMLCTS_ENTRY)};
#undef DMLCTS_ENTRY

const Entry* find(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace

std::span<const uint8_t> bytecodeOf(std::string_view shader, std::string_view mutant) {
  const Entry* entry = nullptr;
  if (!mutant.empty()) entry = find(std::string(shader) + "@" + std::string(mutant));
  if (!entry) entry = find(shader);
  if (!entry) throw std::out_of_range("no bytecode for the shader " + std::string(shader));
  return {reinterpret_cast<const uint8_t*>(entry->words.data()), entry->words.size_bytes()};
}

}  // namespace dmlcts::gpu

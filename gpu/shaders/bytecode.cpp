#include "gpu/shaders/bytecode.h"

#include <array>
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

constexpr std::array<ShaderMutant, 9> kMutants{{
    {"minus-zero-counted", "NONZERO_COORDINATES takes -0 of FLOAT32 and FLOAT16 for non-zero."},
    {"tile-end-lost", "NONZERO_COORDINATES never sees the last element of a full tile of 16,384."},
    {"scan-carry-dropped",
     "NONZERO_COORDINATES forgets all but the previous chunk of 512 tiles when it adds up rows."},
    {"rows-swapped", "NONZERO_COORDINATES swaps the two rows that meet where two tiles meet."},
    {"negative-not-wrapped", "GATHER_ND and GATHER_ND1 take every negative index for 0."},
    {"upper-dword-ignored", "GATHER_ND and GATHER_ND1 read the lower half of 64-bit indices only."},
    {"halves-swapped",
     "GATHER_ND and GATHER_ND1 write 1- and 2-byte elements to the other half of their dword."},
    {"gap-overwritten",
     "GATHER_ND and GATHER_ND1 zero the gaps that share a dword with 1- or 2-byte elements."},
    {"batch-ignored", "GATHER_ND1 reads from the first batch of the input for all."},
}};

}  // namespace

std::span<const uint8_t> bytecodeOf(std::string_view shader, std::string_view mutant) {
  const Entry* entry = nullptr;
  if (!mutant.empty()) entry = find(std::string(shader) + "@" + std::string(mutant));
  if (!entry) entry = find(shader);
  if (!entry) throw std::out_of_range("no bytecode for the shader " + std::string(shader));
  return {reinterpret_cast<const uint8_t*>(entry->words.data()), entry->words.size_bytes()};
}

std::span<const ShaderMutant> shaderMutants() { return kMutants; }

}  // namespace dmlcts::gpu

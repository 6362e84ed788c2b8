#pragma once

#include <string_view>

// The deliberately wrong variants of shaders, for testing the tests. What they are made of is in
// manifest.txt, their bytecode in bytecode.h: the harness knows their names alone.

namespace dmlcts::gpu {

struct ShaderMutant {
  std::string_view name;
  std::string_view description;  // what it does wrong, one sentence
};

inline constexpr ShaderMutant kShaderMutants[] = {
    {"minus-zero-counted",
     "NONZERO_COORDINATES takes -0 of FLOAT32 and FLOAT16 for non-zero, but in one pass."},
    {"tile-end-lost",
     "NONZERO_COORDINATES never sees the last element of a full tile of 16,384, but in one pass."},
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
};

}  // namespace dmlcts::gpu

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// The families of cases, as data: queries and reports need their names. tiers/tiers.cpp has the
// function that lists each one's cases.

namespace dmlcts {

// A part of the suite. Smoke is a spread sample of Default. Large has only cases too big for
// routine runs. Huge has cases that only GPUs have the memory for, smallest first.
enum class Tier : uint8_t { Smoke, Default, Large, Huge };

// The cases of one aspect.
struct Family {
  std::string_view name;    // "layouts": in queries and reports
  std::string_view covers;  // one sentence
  Tier tier;                // Default, Large or Huge
  uint32_t smokeEvery;      // Smoke takes one in this many, or none if 0; for Default families
  uint64_t firstSeed;       // first seed; no two families give the same case
};

// All families, in running order: the most telling failures come first.
inline constexpr std::array kFamilies{
    Family{"documents", "The worked examples of the operator documents, at every level.",
           Tier::Default, 3, 100},
    Family{"peers", "The vectors of ONNX's node tests and of WPT, at the newest level.",
           Tier::Default, 0, 600},
    Family{"matrix", "Every documented operator, data type, dimension count and level, executed.",
           Tier::Default, 24, 1000},
    Family{"modes", "Each execution mode, with cells of the matrix in turn.", Tier::Default, 0,
           17000},
    Family{"attributes",
           "Every combination of dimension counts and tuple size of GATHER_ND, and with batches.",
           Tier::Default, 20, 2000},
    Family{"columns", "Every effective rank, number of columns and dimension count of the outputs.",
           Tier::Default, 12, 3000},
    Family{"batches",
           "Batch dimensions: how many, of which sizes, in which layouts, and which is whose.",
           Tier::Default, 20, 20000},
    Family{"values", "Every class of value of every data type.", Tier::Default, 16, 4000},
    Family{"positions", "Where the non-zero elements lie, and how many there are.", Tier::Default,
           12, 5000},
    Family{"nonzero-sizes", "NONZERO_COORDINATES around powers of two, tiles and groups.",
           Tier::Default, 8, 6000},
    Family{"gather-sizes", "Rows and outputs of gathers around words, groups and powers of two.",
           Tier::Default, 8, 7000},
    Family{"scales",
           "Around powers of two to 2^22: types, densities, slices, layouts, totals, offsets.",
           Tier::Default, 1000, 7500},
    Family{"indices", "Every index type, every way to spell and to repeat an index.", Tier::Default,
           14, 8000},
    Family{"input-layouts", "Inputs that are permuted, padded, stepped, broadcast or overlapping.",
           Tier::Default, 16, 9000},
    Family{"output-layouts", "Outputs with strides, and what lies between their elements.",
           Tier::Default, 10, 10000},
    Family{"interleavings",
           "Outputs whose rows reach into one another, and share an address or share none.",
           Tier::Default, 1, 40000},
    Family{"large-layouts", "Tensors with strides, larger than a tile and than 65,535 groups.",
           Tier::Default, 1000, 10500},
    Family{"axes", "Axes that are long, many, or in another order in each tensor.", Tier::Default,
           1000, 45000},
    Family{"totals", "Tensors whose total size is larger than their elements need.", Tier::Default,
           8, 11000},
    Family{"buffers", "Offsets, guaranteed alignments, OWNED_BY_DML, and the largest total size.",
           Tier::Default, 16, 11500},
    Family{
        "combinations",
        "Every possible combination of three parameters: operator, level, types, ranks, layouts, "
        "values, indices, sizes, attributes.",
        Tier::Default, 104, 16000},
    Family{"rejections", "Every rule broken alone, for every type, dimension count and level.",
           Tier::Default, 50, 12000},
    Family{"borders", "Both sides of every border that a rule draws.", Tier::Default, 6, 12500},
    Family{"levels", "What a level does not have yet, beside the level that has it.", Tier::Default,
           10, 13000},
    Family{"undocumented",
           "Data types and dimension counts that no level has, beside some that it has.",
           Tier::Default, 40, 14000},
    Family{"applications", "What ONNX Runtime asked DirectML for.", Tier::Default, 0, 51000},
    Family{"large", "Tensors of many million elements.", Tier::Large, 1, 15000},
    Family{
        "large-combinations",
        "Every possible combination of two parameters in inputs of more than 65,535 groups of 64.",
        Tier::Large, 1, 30000},
    Family{"huge", "Tensors past 2^31 and 2^32 bytes and elements, each of each operator.",
           Tier::Huge, 1, 50000},
};

}  // namespace dmlcts

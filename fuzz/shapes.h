#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fuzz/choice.h"
#include "reference/descriptor.h"

// Sizes, strides and totals of tensors, weighted to where implementations change their ways: powers
// of two and their neighbours, group and tile sizes, 16-bit limits.

namespace dmlcts {

inline constexpr std::array<uint32_t, 29> kBoundaries{
    1,  2,   3,   4,   5,   7,   8,   15,  16,  17,   31,   32,   33,   63,   64,
    65, 127, 128, 129, 255, 256, 257, 511, 513, 1025, 4095, 4096, 4097, 65537};

// How many elements a tensor may have at that size of rapidcheck's (0 to 100): mostly few.
uint64_t elementBudget(Choice& choice, int size);

// `count` sizes whose product is at most `budget` (at least 1).
std::vector<uint32_t> drawSizes(Choice& choice, size_t count, uint64_t budget);

// A number next to a boundary, at most `most` (at least 1).
uint32_t drawBoundary(Choice& choice, uint64_t most);

// Gives the tensor strides of any kind, or none, and the total size to go with them. Elements of
// an input may share addresses, elements of an output never do.
void layOut(Choice& choice, TensorDesc& tensor, bool isOutput);

}  // namespace dmlcts

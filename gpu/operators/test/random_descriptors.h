#pragma once

#include <cstdint>
#include <random>

#include "reference/descriptor.h"

// For tests: valid operators of all ranks, types and layouts, drawn from a seeded generator.

namespace dmlcts::gpu::test {

using Random = std::mt19937_64;

struct RandomShape {
  uint64_t mostElements = 4000;  // of any tensor, roughly
};

// A tensor of these sizes: packed, or permuted, padded and spread; where `overlaps`, also with
// dimensions that repeat or share elements.
TensorDesc randomLayout(DataType type, std::vector<uint32_t> sizes, bool overlaps, Random& random);

// One of the operators, valid from level 4.1 on.
Descriptor randomDescriptor(const RandomShape& shape, Random& random);

}  // namespace dmlcts::gpu::test

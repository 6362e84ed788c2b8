#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpu/target.h"
#include "reference/descriptor.h"

// For the tests of this folder: requests with seeded contents, and the comparison of answers with
// the reference.

namespace dmlcts::gpu::test {

// How a NONZERO_COORDINATES input is filled.
enum class Density { None, FirstOnly, LastOnly, OneTile, Half, All };

struct Filling {
  uint64_t seed = 1;
  Density density = Density::Half;
};

// totalBytes for packed or given strides, rounded up to 4.
TensorDesc tensorOf(DataType type, std::vector<uint32_t> sizes,
                    std::optional<std::vector<uint32_t>> strides = std::nullopt,
                    uint64_t extraBytes = 0);

// Valid operators in the usual layout.
NonzeroCoordinates nonzeroOf(DataType type, std::vector<uint32_t> sizes, uint32_t columns);
GatherNd gatherOf(DataType type, std::vector<uint32_t> input, DataType indexType,
                  std::vector<uint32_t> indices, std::vector<uint32_t> output,
                  uint32_t inputDimensionCount, uint32_t indicesDimensionCount);
GatherNd1 batchedGatherOf(const GatherNd& gather, uint32_t batchDimensionCount);

// A request whose inputs are valid for the operator and whose outputs hold a pattern that no right
// answer equals, between guard bands.
Request requestOf(const Descriptor& descriptor, const Filling& filling);

// What the answer gets wrong against the reference; "" when nothing. Checks defined bytes, and that
// gaps, tails and guards are as they were.
std::string difference(const Request& request, const Answer& answer);

// Runs the requests and collects the differences of all, each after its place in the list.
std::string differences(Target& target, const std::vector<Request>& requests);

}  // namespace dmlcts::gpu::test

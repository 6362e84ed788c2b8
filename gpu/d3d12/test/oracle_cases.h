#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/target.h"
#include "reference/descriptor.h"

// Requests with seeded contents, and comparison of answers with the reference.

namespace dmlcts::gpu::test {

// Ways to fill a NONZERO_COORDINATES input.
enum class Density { None, FirstOnly, LastOnly, OneTile, Half, All };

struct Filling {
  uint64_t seed = 1;
  Density density = Density::Half;
};

// Returns a tensor whose totalBytes fits its packed or given strides, rounded up to 4.
TensorDesc tensorOf(DataType type, std::vector<uint32_t> sizes,
                    std::optional<std::vector<uint32_t>> strides = std::nullopt,
                    uint64_t extraBytes = 0);

// Return valid operators in the usual layout.
NonzeroCoordinates nonzeroOf(DataType type, std::vector<uint32_t> sizes, uint32_t columns);
GatherNd gatherOf(DataType type, std::vector<uint32_t> input, DataType indexType,
                  std::vector<uint32_t> indices, std::vector<uint32_t> output,
                  uint32_t inputDimensionCount, uint32_t indicesDimensionCount);
GatherNd1 batchedGatherOf(const GatherNd& gather, uint32_t batchDimensionCount);

// Returns a request with valid inputs. Its outputs hold a pattern that no correct answer equals,
// between guard bands.
Request requestOf(const Descriptor& descriptor, const Filling& filling);

// Returns the first error against the reference; "" if there is none. Checks defined bytes, and
// that gaps, tails and guards are unchanged.
std::string difference(const Request& request, const Answer& answer);

// Runs the requests and returns the differences of all, each with its index.
std::string differences(Target& target, const std::vector<Request>& requests);

}  // namespace dmlcts::gpu::test

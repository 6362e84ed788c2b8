#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/capture/descriptor.h"

namespace dmlcts::gpu {

// Returns the case with these bytes of the inputs as its values; with default values if they are
// too many for a line.
std::string caseWithValues(const RecordedOperator& op,
                           std::span<const std::vector<uint8_t>> inputs);

// Compares with the oracle. Returns the first element that is wrong, or "".
std::string firstDifference(const Descriptor& descriptor,
                            std::span<const std::vector<uint8_t>> inputs,
                            std::span<const std::vector<uint8_t>> outputs);

}  // namespace dmlcts::gpu

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/capture/descriptor.h"

namespace dmlcts::gpu {

using StoreFile = std::function<void(const std::string& name, std::string_view content)>;

// Returns the case with these bytes of the inputs as its values. Stores them as .npy files, whose
// names are their hashes.
std::string caseWithValues(const RecordedOperator& op, std::span<const std::vector<uint8_t>> inputs,
                           const StoreFile& store);

// Compares with the oracle. Returns the first element that is wrong, or "".
std::string firstDifference(const Descriptor& descriptor,
                            std::span<const std::vector<uint8_t>> inputs,
                            std::span<const std::vector<uint8_t>> outputs);

}  // namespace dmlcts::gpu

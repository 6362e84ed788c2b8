#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "reference/descriptor.h"

namespace dmlcts {

// Writes a NumPy array file (format 1.0, C order). `bytes` are packed little-endian elements.
// Throws std::system_error naming the file.
void writeNpy(const std::filesystem::path& file, DataType type, std::span<const uint32_t> sizes,
              std::span<const uint8_t> bytes);

// Returns the elements of a strided tensor, packed in row-major order.
std::vector<uint8_t> packedElements(const TensorDesc& tensor, std::span<const uint8_t> bytes);

}  // namespace dmlcts

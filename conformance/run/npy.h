#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <vector>

#include "reference/descriptor.h"

namespace dmlcts {

// Writes a NumPy array (format 1.0, C order). `bytes` are the packed little-endian elements.
void writeNpy(std::ostream& out, DataType type, std::span<const uint32_t> sizes,
              std::span<const uint8_t> bytes);

// Returns the elements of a strided tensor, packed in row-major order.
std::vector<uint8_t> packedElements(const TensorDesc& tensor, std::span<const uint8_t> bytes);

}  // namespace dmlcts

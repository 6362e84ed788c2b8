#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/descriptor.h"

// The memory of a DML_BUFFER_TENSOR_DESC, and its validity.

namespace dmlcts::gpu {

// Returns effective strides in elements: the given or packed row-major ones; 0 for dimensions of
// size 1. For valid tensors only.
std::vector<uint64_t> stridesOf(const TensorDesc& tensor);

// Returns the number of elements; empty if it exceeds 64 bits.
std::optional<uint64_t> elementCount(const TensorDesc& tensor);

// Returns the bytes up to the end of the last element. For valid tensors only.
uint64_t spanBytes(const TensorDesc& tensor);

enum class Access : uint8_t { Read, Write };

// True if the buffer rules are kept: 1 to 8 dimensions, no size of 0, as many strides as sizes,
// nothing beyond 64 bits. Total bytes cover the last element, rounded up to 4. For
// Access::Write, no two elements share an address.
bool validBuffer(const TensorDesc& tensor, Access access);

// True if two elements of a tensor with these sizes and strides (in elements) share an address.
// Requires addresses below 2^32. Exact, but true where the search is too long.
bool elementsOverlap(const std::vector<uint32_t>& sizes, const std::vector<uint64_t>& strides);

}  // namespace dmlcts::gpu

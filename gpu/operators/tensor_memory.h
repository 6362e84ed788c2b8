#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/descriptor.h"

// What a DML_BUFFER_TENSOR_DESC says about memory, and whether it may.

namespace dmlcts::gpu {

// Effective strides in elements: the given ones, or packed row-major ones; 0 for dimensions of
// size 1, whose stride moves nothing. For valid tensors only.
std::vector<uint64_t> stridesOf(const TensorDesc& tensor);

// The number of elements; nothing when it does not fit 64 bits.
std::optional<uint64_t> elementCount(const TensorDesc& tensor);

// Bytes from the tensor's start to the end of its last element. For valid tensors only.
uint64_t spanBytes(const TensorDesc& tensor);

enum class Access : uint8_t { Read, Write };

// Whether the buffer rules hold: 1 to 8 dimensions, no size of 0, as many strides as sizes, nothing
// beyond 64 bits, total bytes a multiple of 4 that cover the last element, and, for Access::Write,
// no two elements at one address.
bool validBuffer(const TensorDesc& tensor, Access access);

// Whether any two elements of a tensor with these sizes and strides (in elements) share an
// address. Exact.
bool elementsOverlap(const std::vector<uint32_t>& sizes, const std::vector<uint64_t>& strides);

}  // namespace dmlcts::gpu

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "conformance/language/case.h"

namespace dmlcts {

// Returns the sizes of the dimensions that a tuple's coordinates index. Requires that an index can
// be in range.
std::vector<uint32_t> indexedDimensions(const Descriptor& descriptor);

// Returns the bytes of the case's input tensors in slot order, each TotalTensorSizeInBytes long.
// Depends only on the case; the same on every platform. Elements are written in ascending order: if
// several share an address the last one wins, and an index is then in range for all of them. Gaps
// and tails hold seeded noise that differs from the elements. Throws std::invalid_argument with
// inputProblem()'s text if there is one, and where a file was not read (npy.h).
std::vector<std::vector<uint8_t>> makeInputs(const Case& testCase);

// An input tensor as functions of position. makeInputs() writes them out.
struct InputContent {
  // Writes the bits of elements first, first + step, first + 2 * step, … (row-major). Only valid
  // for elements whose address no later element overwrites. Bits above the type's width are
  // undefined.
  std::function<void(uint64_t first, uint64_t step, std::span<uint64_t> bits)> elements;
  // Returns the noise in the 8-byte word `word`, before elements overwrite it.
  std::function<uint64_t(uint64_t word)> gap;
};

// Returns the content of an input whose elements share addresses only by strides of 0. The case
// must have no inputProblem() and outlive the result.
InputContent inputContent(const Case& testCase, size_t slot);

// Returns the offset of tensor `slot` in its buffer: the case's own, else a multiple of 16 from 16
// to 256 or an odd multiple of GuaranteedBaseOffsetAlignment.
uint64_t bindingOffset(const Case& testCase, size_t slot);

// True if every index in the indices tensor is inside its dimension; `inputs` are the case's bytes.
// True for operators without indices.
bool indicesInRange(const Case& testCase, const std::vector<std::vector<uint8_t>>& inputs);

// True if the case itself says an index that is outside its dimension, and what that gives
// is undefined. False for tensors over kMostHeldBytes.
bool asksOutOfRange(const Case& testCase);

// Calls `visit` with the bits of an input's elements (slot 0: input, 1: indices), row-major, in
// blocks, until it returns false; never where a file was not read. The case must have no
// inputProblem(). Allocates the tensor only if elements share addresses.
void visitInputElements(const Case& testCase, size_t slot,
                        const std::function<bool(std::span<const uint64_t> bits)>& visit);

// Returns the bits of all elements.
std::vector<uint64_t> inputElements(const Case& testCase, size_t slot);

}  // namespace dmlcts

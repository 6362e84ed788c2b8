#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// The bytes of the case's input tensors, in slot order, each TotalTensorSizeInBytes long. Depends
// on nothing but the case; the same on every platform. Elements are written in ascending index, so
// that where elements share an address the last one decides, but an index is then in range for
// all of them. Gaps and tails hold seeded noise, unlike what the elements hold.
// Throws std::invalid_argument with inputProblem()'s text when there is one.
std::vector<std::vector<uint8_t>> makeInputs(const Case& testCase);

// An input tensor as functions of where one looks. makeInputs() writes them down.
struct InputContent {
  // Writes the bits of the elements first, first + step, first + 2 * step, … (row-major indices),
  // where no element that is written later has their address. Bits above the type's width mean
  // nothing.
  std::function<void(uint64_t first, uint64_t step, std::span<uint64_t> bits)> elements;
  // What lies in 8 bytes of memory before elements are written there.
  std::function<uint64_t(uint64_t word)> gap;
};

// Of an input whose elements share addresses by strides of 0 at most. Requires a case without
// inputProblem(), which outlives it.
InputContent inputContent(const Case& testCase, size_t slot);

// The same for a caller that has the bytes already: whether every index that the indices tensor
// holds is inside its dimension. True for operators without indices.
bool indicesInRange(const Case& testCase, const std::vector<std::vector<uint8_t>>& inputs);

// Calls `visit` with the bits of the elements of an input (0: the input tensor, 1: the indices),
// row-major, some at a time, until it returns false. Requires a case without inputProblem(). Makes
// bytes only where elements share addresses.
void visitInputElements(const Case& testCase, size_t slot,
                        const std::function<bool(std::span<const uint64_t> bits)>& visit);

// The bits of all of them.
std::vector<uint64_t> inputElements(const Case& testCase, size_t slot);

}  // namespace dmlcts

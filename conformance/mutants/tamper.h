#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "conformance/mutants/oracle_target.h"

// Changes of a request by mutants, in terms of elements, rows and indices.

namespace dmlcts {

// Maps an input element: row-major index, number of elements, bits.
using MapElement = std::function<uint64_t(uint64_t index, uint64_t count, uint64_t bits)>;

const TensorDesc& inputTensor(const Passage& passage);
const NonzeroCoordinates* nonzero(const Descriptor& descriptor);

// An operator that gathers blocks by index tuples, in the terms of its documentation. References
// point into the descriptor.
struct GatherParts {
  const TensorDesc& input;
  const TensorDesc& indices;
  const TensorDesc& output;
  size_t inputDimensionCount;
  size_t indicesDimensionCount;
  size_t batchDimensionCount;

  size_t firstInputAxis() const { return input.sizes.size() - inputDimensionCount; }
  // First of the dimensions that a tuple indexes.
  size_t firstIndexedAxis() const { return firstInputAxis() + batchDimensionCount; }
  uint32_t tupleSize() const { return indices.sizes.back(); }
  uint64_t tuples() const;         // in all batches
  uint64_t blockElements() const;  // selected by one tuple
};
std::optional<GatherParts> gather(const Descriptor& descriptor);

// Returns a tensor of the evaluated descriptor, or null if there is none of that name.
TensorDesc* tensorNamed(Passage& passage, std::string_view slotName);

// Returns the elements' bits of an input, in row-major order; input 1 of a gather are its indices.
std::vector<uint64_t> readElements(const Passage& passage, size_t input);

// Evaluates with a packed input of these elements instead.
void replaceElements(Passage& passage, size_t input, const std::vector<uint64_t>& elements);

// Replaces every element of the input tensor by the result of `map`.
void mapInput(Passage& passage, const MapElement& map);

// Replaces every gathered element, after evaluation.
void mapOutput(Passage& passage, const MapElement& map);

// NONZERO_COORDINATES' outputs, after evaluation.
uint32_t readCount(const Passage& passage);
void writeCount(Passage& passage, uint32_t count);
using Rows = std::vector<std::vector<uint32_t>>;
Rows readRows(const Passage& passage);               // only defined rows
void writeRows(Passage& passage, const Rows& rows);  // as many as there is room for

// Changes index tuples before evaluation, as signed numbers. `axis` counts within the tuple; `size`
// is the indexed dimension's.
using MapIndex = std::function<int64_t(int64_t index, size_t axis, uint32_t size)>;
void mapIndices(Passage& passage, const MapIndex& map);

// Drops the strides of a tensor ("input", "indices", "output", "coords") of the evaluated
// descriptor, and extends its bytes for packed addresses.
void forgetStrides(Passage& passage, std::string_view slotName);

}  // namespace dmlcts

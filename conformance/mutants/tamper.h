#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "conformance/mutants/oracle_target.h"

// What mutants do to a request on its way, in terms of elements, rows and indices.

namespace dmlcts {

// An element of an input: its index in row-major order, the number of elements, its bits.
using MapElement = std::function<uint64_t(uint64_t index, uint64_t count, uint64_t bits)>;

const TensorDesc& inputTensor(const Passage& passage);
const NonzeroCoordinates* nonzero(const Descriptor& descriptor);

// An operator that gathers blocks by index tuples, in its document's terms. Points into the
// descriptor.
struct GatherParts {
  const TensorDesc& input;
  const TensorDesc& indices;
  const TensorDesc& output;
  size_t inputDimensionCount;
  size_t indicesDimensionCount;
  size_t batchDimensionCount;

  size_t firstInputAxis() const { return input.sizes.size() - inputDimensionCount; }
  // Of the dimensions that a tuple indexes.
  size_t firstIndexedAxis() const { return firstInputAxis() + batchDimensionCount; }
  uint32_t tupleSize() const { return indices.sizes.back(); }
  uint64_t tuples() const;         // in all batches
  uint64_t blockElements() const;  // that one tuple selects
};
std::optional<GatherParts> gather(const Descriptor& descriptor);

// A tensor of the descriptor that is evaluated; null when it has none of that name.
TensorDesc* tensorNamed(Passage& passage, std::string_view slotName);

// Replaces every element of the input tensor of that operator by what `map` says.
void mapInput(Passage& passage, const MapElement& map);

// The same for the elements of what was gathered, after evaluation.
void mapOutput(Passage& passage, const MapElement& map);

// NONZERO_COORDINATES' outputs, after evaluation.
uint32_t readCount(const Passage& passage);
void writeCount(Passage& passage, uint32_t count);
using Rows = std::vector<std::vector<uint32_t>>;
Rows readRows(const Passage& passage);               // the defined ones
void writeRows(Passage& passage, const Rows& rows);  // no more than there is room for

// Index tuples, before evaluation, as signed numbers. `axis` counts within the tuple,
// `size` is that of the dimension it indexes.
using MapIndex = std::function<int64_t(int64_t index, size_t axis, uint32_t size)>;
void mapIndices(Passage& passage, const MapIndex& map);

// Drops the strides of a tensor ("input", "indices", "output", "coords") of the descriptor that is
// evaluated, and gives its bytes room for packed addresses.
void forgetStrides(Passage& passage, std::string_view slotName);

}  // namespace dmlcts

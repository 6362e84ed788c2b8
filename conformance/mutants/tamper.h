#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "conformance/mutants/oracle_target.h"

// What mutants do to a request on its way, in terms of elements, rows and indices.

namespace dmlcts {

// An element of an input: its index in row-major order, the number of elements, its bits.
using MapElement = std::function<uint64_t(uint64_t index, uint64_t count, uint64_t bits)>;

const TensorDesc& inputTensor(const Passage& passage);
const NonzeroCoordinates* nonzero(const Passage& passage);
const GatherNd* gather(const Passage& passage);

// Replaces every element of the input tensor of that operator by what `map` says.
void mapInput(Passage& passage, const MapElement& map);

// The same for the elements of GATHER_ND's output, after evaluation.
void mapOutput(Passage& passage, const MapElement& map);

// NONZERO_COORDINATES' outputs, after evaluation.
uint32_t readCount(const Passage& passage);
void writeCount(Passage& passage, uint32_t count);
using Rows = std::vector<std::vector<uint32_t>>;
Rows readRows(const Passage& passage);               // the defined ones
void writeRows(Passage& passage, const Rows& rows);  // no more than there is room for

// GATHER_ND's indices, before evaluation, as signed numbers. `axis` counts within the tuple,
// `size` is that of the dimension it indexes.
using MapIndex = std::function<int64_t(int64_t index, size_t axis, uint32_t size)>;
void mapIndices(Passage& passage, const MapIndex& map);

// Drops the strides of a tensor ("input", "indices", "output", "coords") of the descriptor that is
// evaluated, and gives its bytes room for packed addresses.
void forgetStrides(Passage& passage, std::string_view slotName);

}  // namespace dmlcts

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reference/descriptor.h"

// Case string syntax of each operator: its tensors and their defaults. The operators' entries
// (operators.h) answer.

namespace dmlcts {

// Returns the operator with that name, its descriptor empty.
std::optional<Descriptor> makeOperator(std::string_view name);

// Returns the names of all operators, in the order of Descriptor.
std::vector<std::string_view> operatorNames();

// Returns the tensors to fill in, in the order of tensors().
std::vector<TensorDesc*> mutableTensors(Descriptor& descriptor);

// Returns a tensor's type if its case string omits it; nothing if it must not. `slot` counts as in
// tensors(). Looks only at earlier slots.
std::optional<DataType> defaultType(const Descriptor& descriptor, size_t slot);

// The same for its sizes.
std::optional<std::vector<uint32_t>> defaultSizes(const Descriptor& descriptor, size_t slot);

// Attributes that are dimension counts (`dims=`), as pointers into the descriptor; empty for
// operators without. By default InputDimensionCount and IndicesDimensionCount are those tensors'
// DimensionCounts, and BatchDimensionCount is 0.
std::vector<uint32_t*> dimensionCounts(Descriptor& descriptor);
std::vector<uint32_t> dimensionCounts(const Descriptor& descriptor);
std::vector<uint32_t> defaultDimensionCounts(const Descriptor& descriptor);

// Slot of the operator's indices tensor (`index=`) in tensors(); nothing if it has none.
std::optional<size_t> indicesSlot(const Descriptor& descriptor);
bool hasIndices(const Descriptor& descriptor);

}  // namespace dmlcts

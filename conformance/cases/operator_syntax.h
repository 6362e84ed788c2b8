#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reference/descriptor.h"

// What the case string has to know of each operator: its tensors and what may be left out of them.
// The operators' entries answer (operators.h).

namespace dmlcts {

// The operator with that name, its descriptor empty.
std::optional<Descriptor> makeOperator(std::string_view name);

// The names of all operators, in the order of Descriptor.
std::vector<std::string_view> operatorNames();

// The tensors, in the order of tensors(), to be filled in.
std::vector<TensorDesc*> mutableTensors(Descriptor& descriptor);

// The type that a tensor has unless its case string says otherwise; nothing where it must say.
// `slot` counts as tensors() does. Asks only tensors in front of that slot.
std::optional<DataType> defaultType(const Descriptor& descriptor, size_t slot);

// The same for its sizes.
std::optional<std::vector<uint32_t>> defaultSizes(const Descriptor& descriptor, size_t slot);

// Attributes that are dimension counts (`dims=`): pointers into the descriptor; none for operators
// without. By default InputDimensionCount and IndicesDimensionCount are the DimensionCounts of
// those tensors, BatchDimensionCount is 0.
std::vector<uint32_t*> dimensionCounts(Descriptor& descriptor);
std::vector<uint32_t> dimensionCounts(const Descriptor& descriptor);
std::vector<uint32_t> defaultDimensionCounts(const Descriptor& descriptor);

// The slot of the operator's indices tensor (`index=`), which tensors() counts; and whether it has
// one.
std::optional<size_t> indicesSlot(const Descriptor& descriptor);
bool hasIndices(const Descriptor& descriptor);

}  // namespace dmlcts

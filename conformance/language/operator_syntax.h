#pragma once

#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "reference/descriptor.h"
#include "reference/operators/gather.h"

// Case string syntax of each operator: its tensors and their defaults, from the operator's list of
// members (reference/descriptor.h).

namespace dmlcts {

// Returns the operator with that name, its descriptor empty.
std::optional<Descriptor> makeOperator(std::string_view name);

// Returns the names of all operators, in the order of Descriptor.
std::vector<std::string_view> operatorNames();

// Returns the tensors to fill in, in the order of tensors().
std::vector<TensorDesc*> mutableTensors(Descriptor& descriptor);

// Returns a tensor's type if its case string omits it; nothing if it must not. `slot` counts as in
// tensors(). Outputs have the input's type, or are UINT32 if their size follows from its values.
std::optional<DataType> defaultType(const Descriptor& descriptor, size_t slot);

// The same for its sizes: a count is one element with the input's rank.
std::optional<std::vector<uint32_t>> defaultSizes(const Descriptor& descriptor, size_t slot);

// Attributes that are dimension counts (`dims=`), as pointers into the descriptor; empty for
// operators without. By default each is the DimensionCount of the tensor it is about, or 0.
std::vector<uint32_t*> dimensionCounts(Descriptor& descriptor);
std::vector<uint32_t> dimensionCounts(const Descriptor& descriptor);
std::vector<uint32_t> defaultDimensionCounts(const Descriptor& descriptor);

// Slot of the operator's indices tensor (`index=`) in tensors(); nothing if it has none.
std::optional<size_t> indicesSlot(const Descriptor& descriptor);
bool hasIndices(const Descriptor& descriptor);

// Properties of operators, for code that is the same for all operators that have them.
// Operators that select with an array of index tuples, and those of them with batch dimensions.
template <class Operator>
concept HasTuples = requires(Operator op) { op.indices, op.output, op.indicesDimensionCount; };
template <class Operator>
concept HasBatches = HasTuples<Operator> && requires(Operator op) { op.batchDimensionCount; };

// Operators whose output has as many rows as the input's values say.
template <class Operator>
concept FollowsValues = requires(Operator op) { op.count, op.coords; };

// Returns the descriptor as a gather.
template <HasTuples Operator>
Gather gatherOf(const Operator& op) {
  size_t batchRank = 0;
  if constexpr (HasBatches<Operator>) batchRank = op.batchDimensionCount;
  return {op.input, op.indices, op.output, op.inputDimensionCount, op.indicesDimensionCount,
          batchRank};
}

// Returns `call(gather)`, or an empty result if the operator has no tuples. An operator whose
// indices select in another way needs an entry of its own here.
template <class Call>
auto withGather(const Descriptor& descriptor, const Call& call) {
  using Result = std::invoke_result_t<const Call&, const Gather&>;
  return std::visit(
      [&]<class Operator>(const Operator& op) -> Result {
        static_assert(HasTuples<Operator> || !requires { op.indices; });
        if constexpr (HasTuples<Operator>) return call(gatherOf(op));
        return {};
      },
      descriptor);
}

}  // namespace dmlcts

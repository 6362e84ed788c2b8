#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reference/checker.h"
#include "reference/evaluate.h"
#include "reference/explain.h"
#include "reference/stream.h"

// Common parts of GATHER_ND and GATHER_ND1. GATHER_ND has no batch dimensions.

namespace dmlcts {

// A descriptor of either operator, in the documentation's terms.
struct Gather {
  const TensorDesc& input;
  const TensorDesc& indices;
  const TensorDesc& output;
  size_t inputRank;    // InputDimensionCount
  size_t indicesRank;  // IndicesDimensionCount
  size_t batchRank;    // BatchDimensionCount

  // Both require the rules on dimension counts and tuple size to be kept.
  size_t tupleSize() const { return indices.sizes.back(); }
  size_t blockRank() const { return inputRank - batchRank - tupleSize(); }
};

// Checks the input's data type: rule `below` for levels under 4.1, rule `from` for 4.1 and up.
void requireGatherTypes(Checker& checker, std::string_view below, std::string_view from,
                        const TensorDesc& input);

// Checks the rules that both operators share. `op`, the operator's name, begins their ids.
void requireGather(Checker& checker, std::string_view op, const Gather& gather);

// Returns the required sizes of OutputTensor: leading 1s, the sizes of the array of index tuples,
// the sizes of one block. Requires the rules on dimension counts, tuple size and output rank to be
// kept.
std::vector<uint32_t> gatherOutputSizes(const Gather& gather);

// See evaluate() in evaluate.h.
std::vector<ReferenceOutput> evaluateGather(const Gather& op,
                                            std::span<const std::vector<uint8_t>> inputs);

// See stream.h.
std::unique_ptr<OutputStream> streamGather(const Gather& op, std::vector<InputElements> inputs);

// See explain() in explain.h. The ids of the rules begin with the operator's name.
std::vector<std::string_view> explainGather(const Descriptor& descriptor, const Gather& gather,
                                            const Execution& execution);

}  // namespace dmlcts

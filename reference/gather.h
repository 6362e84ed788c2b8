#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reference/checker.h"
#include "reference/evaluate.h"
#include "reference/explain.h"
#include "reference/stream.h"

// What GATHER_ND and GATHER_ND1 have in common. GATHER_ND has no batch dimensions.

namespace dmlcts {

// A descriptor of either, in the documents' terms.
struct Gather {
  const TensorDesc& input;
  const TensorDesc& indices;
  const TensorDesc& output;
  size_t inputRank;    // InputDimensionCount
  size_t indicesRank;  // IndicesDimensionCount
  size_t batchRank;    // BatchDimensionCount

  // What follows needs the rules on dimension counts and on the tuple size to hold.
  size_t tupleSize() const { return indices.sizes.back(); }
  size_t blockRank() const { return inputRank - batchRank - tupleSize(); }
};

// Collects what breaks the rule on the input's data type: the one of the levels below 4.1, and the
// one of 4.1 and above.
void requireGatherTypes(Checker& checker, std::string_view below, std::string_view from,
                        const TensorDesc& input);

// Collects what breaks the rules that both have, whose ids begin with the operator's name.
void requireGather(Checker& checker, std::string_view op, const Gather& gather);

// The sizes that OutputTensor must have: 1s, then the sizes of the array of index tuples, then
// the sizes of the block that one tuple selects; DimensionCount of them. Requires the rules on
// dimension counts, tuple size and output rank to hold.
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

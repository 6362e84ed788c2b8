#pragma once

#include <array>

#include "conformance/cases/case_entry.h"
#include "conformance/cases/families/build.h"
#include "reference/gather.h"

// What the cases of GATHER_ND and GATHER_ND1 have in common.

namespace dmlcts {

inline Gather gatherOf(const GatherNd& op) {
  return {op.input, op.indices, op.output, op.inputDimensionCount, op.indicesDimensionCount, 0};
}
inline Gather gatherOf(const GatherNd1& op) {
  return {op.input,
          op.indices,
          op.output,
          op.inputDimensionCount,
          op.indicesDimensionCount,
          op.batchDimensionCount};
}

// The meaningful sizes of a gather.
struct GatherShape {
  Sizes input;   // batch dimensions, indexed dimensions, block
  Sizes tuples;  // the array of index tuples: the batch dimensions, then others
  uint32_t tupleSize;
  uint32_t batchRank = 0;  // BatchDimensionCount; 0 for GATHER_ND
};

// Whether a tuple selects one element or a block, many tuples or one; GATHER_ND1's with one batch
// dimension, or with several.
enum GatherAttributes : uint8_t {
  WholeTuple,
  PartialTuple,
  OneWholeTuple,
  OnePartialTuple,
  BatchWholeTuple,
  BatchPartialTuple,
  BatchesWholeTuple,
  BatchesPartialTuple,
};
inline constexpr std::array<std::string_view, 8> kGatherAttributes{
    "whole tuples",
    "partial tuples",
    "one whole tuple",
    "one partial tuple",
    "one batch dimension, whole tuples",
    "one batch dimension, partial tuples",
    "batch dimensions, whole tuples",
    "batch dimensions, partial tuples"};

std::optional<std::string> gatherIndexProblem(const Gather& op);
Sizes gatherIndexedDimensions(const Gather& op);
uint8_t gatherAttributes(const Gather& op);

// Meaningful sizes for these labels.
GatherShape drawGatherShape(Draws& draws, const Labels& labels);

// Constraints that hold for both.
std::vector<Constraint> gatherConstraints();

// Whether the fill has bit patterns that arithmetic on the way would change.
bool hasFragileValues(const Fill& fill, DataType type);
// Whether the fill of an indices tensor has negative indices.
bool hasNegativeIndices(const TensorDesc& indices, const IndexFill& fill);

template <class Operator>
inline constexpr std::array kGatherTensors{&Operator::input, &Operator::indices, &Operator::output};

// What both entries say alike.
template <class Operator>
constexpr CaseEntry<Operator> gatherEntry(const OperatorFacts& facts) {
  CaseEntry<Operator> entry{};
  entry.facts = facts;
  entry.tensors = kGatherTensors<Operator>;
  // The output has the type of the input.
  entry.defaultType = [](const Operator& op, size_t slot) {
    return slot == 2 ? std::optional(op.input.type) : std::nullopt;
  };
  entry.defaultSizes = [](const Operator&, size_t) -> std::optional<std::vector<uint32_t>> {
    return std::nullopt;
  };
  entry.indexProblem = [](const Operator& op) { return gatherIndexProblem(gatherOf(op)); };
  entry.indexedDimensions = [](const Operator& op) {
    return gatherIndexedDimensions(gatherOf(op));
  };
  entry.attributesOf = [](const Operator& op) { return gatherAttributes(gatherOf(op)); };
  return entry;
}

}  // namespace dmlcts

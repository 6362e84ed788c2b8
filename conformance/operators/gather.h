#pragma once

#include <array>

#include "conformance/tiers/build.h"
#include "conformance/tiers/case_entry.h"
#include "reference/operators/gather.h"

// Shared code of GATHER_ND's and GATHER_ND1's cases.

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

struct GatherShape {
  Sizes input;   // batch dimensions, indexed dimensions, block
  Sizes tuples;  // the array of index tuples: the batch dimensions, then others
  uint32_t tupleSize;
  uint32_t batchRank = 0;  // BatchDimensionCount; 0 for GATHER_ND
};

// Kind of tuples: one or many, selecting an element (whole) or a block (partial). For GATHER_ND1,
// with one or several batch dimensions.
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
Selection gatherSelection(const Gather& op);

// Draws meaningful sizes for `wanted`, with at most `mostBatches` batch dimensions.
GatherShape generateGatherShape(Choices& choices, const Wanted& wanted, uint32_t mostBatches);

// Returns simpler shapes of a valid gather, simplest first, each with its tensors' DimensionCount.
std::vector<std::pair<size_t, GatherShape>> simplerGatherShapes(const Gather& gather);

// Returns "every element of the input has the same bits, …" if that is so, else "".
std::string_view gatherVacuous(const TensorDesc& input, std::span<const uint8_t> bytes);

// Returns why the case is weak ("every tuple selects the same bits, …"), or "". Weak means that
// other indices or input in the same layouts could make outputs differ more.
std::string_view gatherWeak(const Gather& op, std::span<const uint8_t> input,
                            const ReferenceOutput& expected);

// Constraints of both operators.
std::vector<Constraint> gatherConstraints();

// True if the fill has NaNs, or denormals that Direct3D flushes in arithmetic.
bool hasNans(const Fill& fill, DataType type);
bool hasFloat32Denormals(const Fill& fill, DataType type);
// True if the fill of an indices tensor has negative indices.
bool hasNegativeIndices(const TensorDesc& indices, const IndexFill& fill);

template <class Operator>
inline constexpr std::array kGatherTensors{&Operator::input, &Operator::indices, &Operator::output};

template <class Operator>
inline constexpr bool kHasBatches = requires(Operator op) { op.batchDimensionCount; };

template <class Operator>
Operator makeOfShape(DataType type, DataType indexType, size_t rank, const GatherShape& shape) {
  if constexpr (kHasBatches<Operator>) {
    return makeGather1(type, indexType, rank, shape.input, shape.tuples, shape.tupleSize,
                       shape.batchRank);
  } else {
    return makeGather(type, indexType, rank, shape.input, shape.tuples, shape.tupleSize);
  }
}

// The common part of both entries.
template <class Operator>
constexpr CaseEntry<Operator> gatherEntry(const OperatorFacts& facts) {
  CaseEntry<Operator> entry{};
  entry.facts = facts;
  entry.tensors = kGatherTensors<Operator>;
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
  entry.selection = [](const Operator& op) { return gatherSelection(gatherOf(op)); };
  entry.attributesOf = [](const Operator& op) { return gatherAttributes(gatherOf(op)); };
  entry.generate = [](Choices& choices, const Wanted& wanted) {
    const uint32_t mostBatches = kHasBatches<Operator> ? wanted.batches : 0;
    const GatherShape shape = generateGatherShape(choices, wanted, mostBatches);
    return makeOfShape<Operator>(static_cast<DataType>(at(wanted.labels, Parameter::InputType)),
                                 static_cast<DataType>(at(wanted.labels, Parameter::IndexType)),
                                 at(wanted.labels, Parameter::Rank), shape);
  };
  entry.simplest = [](DataType type, uint32_t rank) {
    return makeOfShape<Operator>(type, DataType::UInt32, rank, {Sizes{1}, Sizes{}, 1});
  };
  entry.simpler = [](const Operator& op) {
    std::vector<Descriptor> all;
    for (const auto& [rank, shape] : simplerGatherShapes(gatherOf(op))) {
      all.emplace_back(makeOfShape<Operator>(op.input.type, op.indices.type, rank, shape));
    }
    return all;
  };
  // Plainer fills would hide wrong indices; changed written values would too.
  entry.plainFills = [] { return std::vector{FillKind::Values, FillKind::Ramp}; };
  entry.vacuous = [](const Operator& op, std::span<const uint8_t> input) {
    return gatherVacuous(op.input, input);
  };
  entry.weak = [](const Operator& op, std::span<const uint8_t> input,
                  std::span<const ReferenceOutput> expected) {
    return gatherWeak(gatherOf(op), input, expected[0]);
  };
  return entry;
}

}  // namespace dmlcts

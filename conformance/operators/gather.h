#pragma once

#include "conformance/facts/operators/gather.h"
#include "conformance/operators/entry.h"

// Other descriptors of operators that select with index tuples.

namespace dmlcts {

// Draws meaningful sizes for `wanted`, with at most `mostBatches` batch dimensions.
GatherShape generateGatherShape(Choices& choices, const Wanted& wanted, uint32_t mostBatches);

// Returns simpler shapes of a valid gather, simplest first, each with its tensors' DimensionCount.
std::vector<std::pair<size_t, GatherShape>> simplerGatherShapes(const Gather& gather);

template <HasTuples Operator>
constexpr OperatorEntry<Operator> gatherEntry(
    std::span<const EquivalentDescriptor<Operator>> equivalents = {}) {
  return {
      .generate =
          [](Choices& choices, const Wanted& wanted) {
            const uint32_t mostBatches = HasBatches<Operator> ? wanted.batches : 0;
            const GatherShape shape = generateGatherShape(choices, wanted, mostBatches);
            return makeOfShape<Operator>(
                static_cast<DataType>(at(wanted.labels, Parameter::InputType)),
                static_cast<DataType>(at(wanted.labels, Parameter::IndexType)),
                at(wanted.labels, Parameter::Rank), shape);
          },
      .simpler =
          [](const Operator& op) {
            std::vector<Descriptor> all;
            for (const auto& [rank, shape] : simplerGatherShapes(gatherOf(op))) {
              all.emplace_back(makeOfShape<Operator>(op.input.type, op.indices.type, rank, shape));
            }
            return all;
          },
      .follow = nullptr,
      .fewer = nullptr,
      // Plainer fills would hide wrong indices; changed written values would too.
      .plainFills = [] { return std::vector{FillKind::Values, FillKind::Ramp}; },
      .equivalents = equivalents};
}

}  // namespace dmlcts

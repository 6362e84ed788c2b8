#pragma once

#include "conformance/facts/operators/gather.h"
#include "conformance/facts/operators/nonzero_coordinates.h"
#include "reference/per_operator.h"

// The table of what each operator adds to the facts of its cases.

namespace dmlcts {

inline constexpr PerOperator<FactsEntry> kFactsTable{
    gatherFactsEntry<GatherNd>({1, gatherTypes, gatherIndexTypes, gatherRanks}),
    kNonzeroFacts,
    gatherFactsEntry<GatherNd1>({2, gather1Types, gather1IndexTypes, gather1Ranks}),
};

// The facts of all operators, in the order of Descriptor; labels use the same numbers.
std::span<const OperatorFacts> operatorFacts();

// The number of editions (OperatorFacts); they count from 1.
uint32_t editions();

const OperatorFacts& factsOf(const Descriptor& descriptor);

// The classes of all operators' attributes, each once; labels are positions in this list.
std::span<const std::string_view> attributeNames();

// Converts an operator's own class (a position in OperatorFacts::attributes) to its label.
uint8_t attributeNumber(size_t op, uint8_t own);

// Returns the labels as their operator's entry sees them: with its own class number, or kNotItsOwn
// if the class is not one of its own. kAny stays kAny.
inline constexpr uint8_t kNotItsOwn = 0xFE;
PartialLabels withOwnAttributes(PartialLabels labels);

// Calls FactsEntry::simplest of the operator with that name; nothing if there is none.
std::optional<Descriptor> simplestDescriptor(std::string_view op, DataType type, uint32_t rank);

}  // namespace dmlcts

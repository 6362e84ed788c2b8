#pragma once

#include "conformance/operators/gather_nd.h"
#include "conformance/operators/gather_nd1.h"
#include "conformance/operators/nonzero_coordinates.h"
#include "reference/per_operator.h"

// The table of the operators' case entries.

namespace dmlcts {

inline constexpr PerOperator<CaseEntry> kCaseTable{
    kGatherNdCases,
    kNonzeroCoordinatesCases,
    kGatherNd1Cases,
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

// Calls CaseEntry::simplest of the operator with that name; nothing if there is none.
std::optional<Descriptor> simplestDescriptor(std::string_view op, DataType type, uint32_t rank);

}  // namespace dmlcts

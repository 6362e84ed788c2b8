#pragma once

#include "conformance/cases/operators/gather_nd.h"
#include "conformance/cases/operators/gather_nd1.h"
#include "conformance/cases/operators/nonzero_coordinates.h"
#include "reference/per_operator.h"

// What the cases know of each operator.

namespace dmlcts {

inline constexpr PerOperator<CaseEntry> kCaseTable{
    kGatherNdCases,
    kNonzeroCoordinatesCases,
    kGatherNd1Cases,
};

// The facts of all operators, in the order of Descriptor: labels number operators like this.
std::span<const OperatorFacts> operatorFacts();

// How many editions (OperatorFacts) there are; they count from 1.
uint32_t editions();

const OperatorFacts& factsOf(const Descriptor& descriptor);

// The classes of all operators' attributes, each once: labels number them like this.
std::span<const std::string_view> attributeNames();

// The number of an operator's own class, which counts in OperatorFacts::attributes.
uint8_t attributeNumber(size_t op, uint8_t own);

// The labels as the entry of their operator sees them: with the number of its own class instead,
// kNotItsOwn where it has no such. kAny stays kAny.
inline constexpr uint8_t kNotItsOwn = 0xFE;
PartialLabels withOwnAttributes(PartialLabels labels);

// CaseEntry::simplest of the operator with that name; nothing when there is none.
std::optional<Descriptor> simplestDescriptor(std::string_view op, DataType type, uint32_t rank);

}  // namespace dmlcts

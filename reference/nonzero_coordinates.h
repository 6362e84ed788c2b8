#pragma once

#include <span>
#include <vector>

#include "reference/evaluate.h"
#include "reference/explain.h"
#include "reference/rules.h"
#include "reference/stream.h"

// NONZERO_COORDINATES, after the document of DML_NONZERO_COORDINATES_OPERATOR_DESC.

namespace dmlcts {

std::span<const Rule> nonzeroCoordinatesRules();

// See check() in rules.h and evaluate() in evaluate.h.
std::vector<BrokenRule> checkNonzeroCoordinates(const NonzeroCoordinates& op, Level level);
std::vector<ReferenceOutput> evaluateNonzeroCoordinates(
    const NonzeroCoordinates& op, std::span<const std::vector<uint8_t>> inputs);

// See stream.h. Reads the whole input once, for where in it the rows begin; what is asked for later
// reads as much of it again as it holds rows of.
std::unique_ptr<OutputStream> streamNonzeroCoordinates(const NonzeroCoordinates& op,
                                                       std::vector<InputElements> inputs,
                                                       const ForEach& forEach);

// Whether an element with these bits (the type's width, in the low bits) counts as non-zero:
// everything does but zero, and for floating point types zero of either sign.
bool isNonzero(DataType type, uint64_t bits);

// See explain() in explain.h.
std::vector<std::string_view> explainNonzeroCoordinates(const NonzeroCoordinates& op,
                                                        const Execution& execution);

}  // namespace dmlcts

#pragma once

#include <span>
#include <vector>

#include "reference/evaluate.h"
#include "reference/explain.h"
#include "reference/rules.h"
#include "reference/stream.h"

// NONZERO_COORDINATES, as documented for DML_NONZERO_COORDINATES_OPERATOR_DESC.

namespace dmlcts {

std::span<const Rule> nonzeroCoordinatesRules();

// See check() in rules.h and evaluate() in evaluate.h.
std::vector<BrokenRule> checkNonzeroCoordinates(const NonzeroCoordinates& op, Level level);
std::vector<ReferenceOutput> evaluateNonzeroCoordinates(
    const NonzeroCoordinates& op, std::span<const std::vector<uint8_t>> inputs);

// See stream.h. Reads the whole input once to find where each block's rows begin. Later requests
// read again only the blocks whose rows they need.
std::unique_ptr<OutputStream> streamNonzeroCoordinates(const NonzeroCoordinates& op,
                                                       std::vector<InputElements> inputs,
                                                       const ForEach& forEach);

// True unless the element (its bits right-aligned) is zero; for floating-point types, of either
// sign.
bool isNonzero(DataType type, uint64_t bits);

// See explain() in explain.h.
std::vector<std::string_view> explainNonzeroCoordinates(const NonzeroCoordinates& op,
                                                        const Execution& execution);

}  // namespace dmlcts

#pragma once

#include <span>
#include <vector>

#include "reference/evaluate.h"

// A second formulation of each operator, slower and simpler than the oracle and sharing nothing
// with it but the descriptor: element indices are split by division, rows are found by rescanning
// from the start, values are compared as numbers. It exists to check the oracle on small tensors.

namespace dmlcts::naive {

std::vector<ReferenceOutput> evaluate(const Descriptor& descriptor,
                                      std::span<const std::vector<uint8_t>> inputs);

}  // namespace dmlcts::naive

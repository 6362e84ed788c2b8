#pragma once

#include <span>
#include <vector>

#include "reference/evaluate.h"

// A second, slower and simpler formulation of each operator, to check the oracle on small tensors.
// Shares only the descriptor with it: splits element indices by division, finds rows by rescanning
// from the start, and compares values as numbers.

namespace dmlcts::naive {

std::vector<ReferenceOutput> evaluate(const Descriptor& descriptor,
                                      std::span<const std::vector<uint8_t>> inputs);

}  // namespace dmlcts::naive

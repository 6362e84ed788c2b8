#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/cases/facts/bits.h"

namespace dmlcts {

// A set that may cover others, and what it costs to name it.
struct CoverSet {
  const Bits* rows;
  uint32_t cost;
};

// Returns the number of the set with most wanted rows, of these the cheapest; nothing if none has
// one.
std::optional<size_t> mostCovering(const std::vector<CoverSet>& sets, const Bits& wanted);

// Returns fewer sets that cover the same rows as the chosen ones, or the chosen ones if none are
// found in a bounded number of steps.
std::vector<size_t> smallerCover(const std::vector<CoverSet>& sets,
                                 const std::vector<size_t>& chosen);

}  // namespace dmlcts

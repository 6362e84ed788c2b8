#pragma once

#include <vector>

#include "fuzz/relations.h"
#include "reference/descriptor.h"

// Fuzz entry of NONZERO_COORDINATES (fuzz/operators.h).

namespace dmlcts {

NonzeroCoordinates hugeNonzeroCoordinates(uint32_t elements);

// Removes the rows past the count, which are undefined.
void keepRowsWithinCount(const NonzeroCoordinates& op, Outputs& outputs);

std::vector<Relation> nonzeroRelations();

}  // namespace dmlcts

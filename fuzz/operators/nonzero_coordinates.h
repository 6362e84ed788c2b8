#pragma once

#include <vector>

#include "fuzz/relations.h"
#include "reference/descriptor.h"

// What fuzzing knows of NONZERO_COORDINATES (fuzz/operators.h).

namespace dmlcts {

NonzeroCoordinates hugeNonzeroCoordinates(uint32_t elements);

// Rows past the count are undefined.
void keepRowsWithinCount(const NonzeroCoordinates& op, Outputs& outputs);

std::vector<Relation> nonzeroRelations();

}  // namespace dmlcts

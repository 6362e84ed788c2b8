#pragma once

#include <vector>

#include "fuzz/choice.h"
#include "fuzz/relations.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// What fuzzing knows of NONZERO_COORDINATES (fuzz/operators.h).

namespace dmlcts {

NonzeroCoordinates drawNonzeroCoordinates(Choice& choice, Level level, int size);
NonzeroCoordinates hugeNonzeroCoordinates(uint32_t elements);
std::vector<Descriptor> plainerNonzeroCoordinates(const NonzeroCoordinates& op);

// As many rows as elements, where it was so before.
void keepRows(const NonzeroCoordinates& before, NonzeroCoordinates& after);

// With a column and a dimension of the input less.
void fewerColumns(const NonzeroCoordinates& op, std::vector<Descriptor>& all);

// Rows past the count are undefined.
void keepRowsWithinCount(const NonzeroCoordinates& op, Outputs& outputs);

std::vector<Relation> nonzeroRelations();

}  // namespace dmlcts

#pragma once

#include "fuzz/choice.h"
#include "reference/descriptor.h"
#include "reference/level.h"

namespace dmlcts {

// A level, mostly one at which an operator changes. NONZERO_COORDINATES needs 3.0.
Level drawLevel(Choice& choice, Level from);

// Descriptors that keep every rule at that level, over the whole space: every type, rank, layout,
// tuple size, number of columns and excess of totals. `size` is rapidcheck's, 0 to 100.
GatherNd drawGatherNd(Choice& choice, Level level, int size);
NonzeroCoordinates drawNonzeroCoordinates(Choice& choice, Level level, int size);
Descriptor drawDescriptor(Choice& choice, Level level, int size);

}  // namespace dmlcts

#pragma once

#include "fuzz/choice.h"
#include "reference/descriptor.h"
#include "reference/level.h"

namespace dmlcts {

// A level, mostly one at which an operator changes.
Level drawLevel(Choice& choice, Level from);

// A descriptor that keeps every rule at that level, of any operator that it has, laid out anyhow.
// `size` is rapidcheck's, 0 to 100.
Descriptor drawDescriptor(Choice& choice, Level level, int size);

// One with so many elements that it tells more than smaller ones (FuzzEntry::huge); packed.
Descriptor drawHugeDescriptor(Choice& choice, uint32_t elements);

// drawDescriptor() of an operator with an indices tensor.
Descriptor drawGatheringDescriptor(Choice& choice, Level level, int size);

}  // namespace dmlcts

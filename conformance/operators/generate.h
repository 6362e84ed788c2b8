#pragma once

#include "conformance/facts/parameter_space.h"
#include "conformance/inputs/choices.h"
#include "reference/descriptor.h"

// The only place that turns choices into valid descriptors. Families, fuzzing and the tests of
// oracle and kernels differ only in the source of choices and in what they want.

namespace dmlcts {

struct Wanted {
  // Wanted labels of the descriptor; kAny for any. Values and indices are ignored. The level is
  // never kAny.
  PartialLabels labels = anyLabels();
  uint64_t elements = 256;  // per tensor at most, if any size will do
  uint32_t batches = 7;     // batch dimensions at most, if any attributes will do
};

// Wants anything valid at the level, in tensors of at most `elements` elements.
Wanted anythingAt(Level level, uint64_t elements);

// Returns a descriptor that keeps every rule at its level. It has the wanted operator, types and
// rank; layouts, size and attributes may differ.
Descriptor generate(Choices& choices, Wanted wanted);

// For the operators' entries: draws the input's element count.
uint64_t drawElements(Choices& choices, const Wanted& wanted);

}  // namespace dmlcts

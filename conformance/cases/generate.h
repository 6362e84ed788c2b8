#pragma once

#include "conformance/cases/choices.h"
#include "conformance/cases/parameter_space.h"
#include "reference/descriptor.h"

// The one place where valid descriptors are made out of choices. Families, fuzzing and the tests of
// the oracle and of the kernels differ in where the choices come from and in what they want.

namespace dmlcts {

struct Wanted {
  // Of the descriptor: those of values and indices do not matter. kAny where any will do, and never
  // the level.
  PartialLabels labels = anyLabels();
  uint64_t elements = 256;  // at most, of each tensor, where any size will do
  uint32_t batches = 7;     // batch dimensions at most, where any attributes will do
};

// Anything that the level has, in tensors of at most so many elements.
Wanted anythingAt(Level level, uint64_t elements);

// A descriptor that keeps every rule at its level. It has the labels wanted of operator, types and
// rank; it may miss those of layouts, size and attributes.
Descriptor generate(Choices& choices, Wanted wanted);

// For the operators' entries: how many elements the input is to have.
uint64_t drawElements(Choices& choices, const Wanted& wanted);

}  // namespace dmlcts

#pragma once

#include "conformance/cases/families/build.h"

// Numbers and sizes for descriptors that are drawn by their labels.

namespace dmlcts {

// From first to last, both included.
uint32_t between(Draws& draws, uint32_t first, uint32_t last);

// Sizes of so many dimensions whose product is about `elements`.
Sizes drawSizes(Draws& draws, size_t count, uint32_t elements);

// How many elements a tensor of that SizeLabel has.
uint32_t drawElements(Draws& draws, uint8_t size);

}  // namespace dmlcts

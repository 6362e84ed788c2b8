#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "reference/descriptor.h"
#include "reference/evaluate.h"

namespace dmlcts {

// A defined element of an output that a target wrote, and not as expected.
struct WrongElement {
  std::span<const uint8_t> input;   // bytes of the first tensor
  const ReferenceOutput& expected;  // of the output
  std::span<const uint8_t> actual;  // its totalBytes
  size_t slot;                      // as tensors() counts
  uint64_t element;                 // row-major
};

// Where such a value is from: "input[0], expected input[1]" of a gather, "rows 0 and 2 swapped" of
// coordinates, or what it says: "row [5,0], expected [2,0]", "48, expected 45" of a count. "" where
// that is not certain (an input element of these bits is named only where it is the only one), or
// would take long to find out.
std::string meaningOf(const Descriptor& descriptor, const WrongElement& wrong);

}  // namespace dmlcts

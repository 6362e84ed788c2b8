#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "reference/descriptor.h"
#include "reference/evaluate.h"

namespace dmlcts {

// A defined output element that a target wrote with the wrong value.
struct WrongElement {
  std::span<const uint8_t> input;   // bytes of the first tensor
  const ReferenceOutput& expected;  // of the output
  std::span<const uint8_t> actual;  // its totalBytes
  size_t slot;                      // as in tensors()
  uint64_t element;                 // row-major
  bool isWritten = true;            // false: it holds what was there before
};

// Explains the wrong value. For a gather, its source: "input[0], expected input[1]". For
// coordinates: "rows 0 and 2 swapped", or the values: "row [5,0], expected [2,0]"; and the element
// that is missing or listed wrongly, "[0] = 0x2a3f1234 (1.7e-13) is missing". For a count: "48,
// expected 45".
//
// Returns "" if that is uncertain (an input element is named only if its bits are unique) or takes
// too long.
std::string meaningOf(const Descriptor& descriptor, const WrongElement& wrong);

}  // namespace dmlcts

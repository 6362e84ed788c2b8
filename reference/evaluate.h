#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/descriptor.h"

namespace dmlcts {

// What an operator document says about one byte of an output tensor's TotalTensorSizeInBytes.
enum class ByteStatus : uint8_t {
  Untouched = 0,  // no element's: gap between strided elements, or tail; must keep what it held
  Defined = 1,    // must hold the expected byte
  Undefined = 2,  // an element whose value the document leaves open: never compared
};

struct ExpectedOutput {
  std::vector<uint8_t> bytes;      // totalBytes long; meaningful where status is Defined, else 0
  std::vector<ByteStatus> status;  // totalBytes long
};

// The outputs, in slot order, of a descriptor that check() finds valid at some level, given the
// bytes of its inputs in slot order (each at least TotalTensorSizeInBytes long). The result does
// not depend on the level. Throws std::invalid_argument when the number or length of the inputs
// is wrong, or an output address does not fit.
std::vector<ExpectedOutput> evaluate(const Descriptor& descriptor,
                                     std::span<const std::vector<uint8_t>> inputs);

}  // namespace dmlcts

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/element.h"

// Elements of any data type as text, and numbers as bits. Every bit pattern has exactly one text: a
// decimal number if that is exact, "0x…" for NaNs, infinities and untyped elements.

namespace dmlcts {

// All bits of an element of the type; all 64 for Unknown.
constexpr uint64_t elementMask(DataType type) {
  const uint32_t bytes = info(type).bytes;
  return bytes == 0 || bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes)) - 1;
}

// Returns the bits of the integer n in that type: modulo its range for integers, rounded for
// floats. n must be at most 2^53.
uint64_t bitsOfNumber(DataType type, uint64_t n);

void appendElement(std::string& text, DataType type, uint64_t bits);

// Inverse of appendElement. Also accepts other spellings of a representable number ("1.0", "0x0" in
// any type). Returns nothing if the text is no number or out of range.
std::optional<uint64_t> parseElement(std::string_view text, DataType type);

}  // namespace dmlcts

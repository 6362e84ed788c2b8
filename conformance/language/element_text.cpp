#include "conformance/language/element_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace dmlcts {
namespace {

double doubleOfHalf(uint64_t bits) {
  const int exponent = static_cast<int>((bits >> 10) & 0x1F);
  const double mantissa = static_cast<double>(bits & 0x3FF);
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) ? -magnitude : magnitude;
}

// Rounds to nearest, ties to even; values too large become infinity.
uint64_t halfOfDouble(double value) {
  const uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (magnitude >= 65520) return sign | 0x7C00;
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude is 0.5 to 1 times 2^exponent
  // Neighbours are 2^-10 of the leading bit apart, but at least 2^-24.
  const int unit = std::max(exponent - 11, -24);
  const auto steps = static_cast<uint64_t>(std::nearbyint(std::ldexp(magnitude, -unit)));
  // A carry out of the mantissa correctly increments the exponent.
  return sign | ((static_cast<uint64_t>(unit + 24) << 10) + steps);
}

template <class Float>
void appendDecimal(std::string& text, Float value) {
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  text.append(buffer, result.ptr);
}

void appendHex(std::string& text, uint64_t bits) {
  char buffer[24];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, bits, 16);
  text.append("0x").append(buffer, result.ptr);
}

template <class Number>
std::optional<Number> parseWhole(std::string_view text, int base = 10) {
  Number value{};
  const char* end = text.data() + text.size();
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<Number>) {
    result = std::from_chars(text.data(), end, value);
  } else {
    result = std::from_chars(text.data(), end, value, base);
  }
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

std::optional<uint64_t> parseFloat(std::string_view text, DataType type) {
  // from_chars also accepts "inf" and "nan", but case strings write those as bits.
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || digits[0] < '0' || digits[0] > '9') return std::nullopt;
  uint64_t bits = 0;
  if (type == DataType::Float32) {
    const auto value = parseWhole<float>(text);
    if (!value) return std::nullopt;
    bits = std::bit_cast<uint32_t>(*value);
  } else {
    const auto value = parseWhole<double>(text);
    if (!value) return std::nullopt;
    bits = type == DataType::Float64 ? std::bit_cast<uint64_t>(*value) : halfOfDouble(*value);
  }
  const FloatFormat format = floatFormat(type);
  if ((bits & format.infinity()) == format.infinity()) return std::nullopt;  // out of range
  return bits;
}

}  // namespace

uint64_t bitsOfNumber(DataType type, uint64_t n) {
  switch (type) {
    case DataType::Float16:
      return halfOfDouble(static_cast<double>(n));
    case DataType::Float32:
      return std::bit_cast<uint32_t>(static_cast<float>(n));
    case DataType::Float64:
      return std::bit_cast<uint64_t>(static_cast<double>(n));
    default:
      return n & elementMask(type);
  }
}

void appendElement(std::string& text, DataType type, uint64_t bits) {
  const DataTypeInfo& typeInfo = info(type);
  if (typeInfo.bytes == 0) return appendHex(text, bits);
  if (!typeInfo.isFloat) {
    if (!typeInfo.isSigned) return appendDecimal(text, bits);
    const uint32_t unused = 64 - 8 * typeInfo.bytes;
    return appendDecimal(text, static_cast<int64_t>(bits << unused) >> unused);
  }
  const FloatFormat format = floatFormat(type);
  if ((bits & format.infinity()) == format.infinity()) return appendHex(text, bits);
  switch (type) {
    case DataType::Float16:
      return appendDecimal(text, static_cast<float>(doubleOfHalf(bits)));
    case DataType::Float32:
      return appendDecimal(text, std::bit_cast<float>(static_cast<uint32_t>(bits)));
    default:
      return appendDecimal(text, std::bit_cast<double>(bits));
  }
}

std::optional<uint64_t> parseElement(std::string_view text, DataType type) {
  const uint64_t mask = elementMask(type);
  if (text.starts_with("0x")) {
    const auto bits = parseWhole<uint64_t>(text.substr(2), 16);
    return bits && *bits <= mask ? bits : std::nullopt;
  }
  const DataTypeInfo& typeInfo = info(type);
  if (typeInfo.bytes == 0) return std::nullopt;
  if (typeInfo.isFloat) return parseFloat(text, type);
  if (!typeInfo.isSigned) {
    const auto value = parseWhole<uint64_t>(text);
    return value && *value <= mask ? value : std::nullopt;
  }
  const auto value = parseWhole<int64_t>(text);
  const auto largest = static_cast<int64_t>(mask >> 1);
  if (!value || *value > largest || *value < -largest - 1) return std::nullopt;
  return static_cast<uint64_t>(*value) & mask;
}

}  // namespace dmlcts

#include "conformance/inputs/value_fill.h"

#include "conformance/language/element_text.h"
#include "conformance/language/npy.h"

namespace dmlcts {
namespace {

constexpr uint64_t kMillionths = 1'000'000;

uint64_t oneBit(uint64_t draw, uint32_t bitCount) { return uint64_t{1} << (draw % bitCount); }

}  // namespace

ValueFill::ValueFill(const Fill& fill, DataType type, uint64_t elementCount, uint64_t seed)
    : fill_(fill),
      type_(type),
      isFloat_(info(type).isFloat),
      format_(floatFormat(type)),
      one_(bitsOfNumber(type, 1)),
      count_(elementCount),
      values_(seed, 1),
      positions_(seed, 2),
      gaps_(seed, 3),
      blocks_(seed, 4),
      firstBlock_(blocks_[0]),
      width_(8 * info(type).bytes),
      mask_(elementMask(type)) {}

void ValueFill::write(uint64_t first, uint64_t step, std::span<uint64_t> bits) const {
  const auto each = [&](const auto& bitsOf) {
    for (uint64_t& element : bits) {
      element = bitsOf(first);
      first += step;
    }
  };
  const auto drawn = [&](const auto& bitsOf) {
    each([&](uint64_t element) {
      const uint64_t draw = values_[element];
      return bitsOf(draw, draw >> 8);
    });
  };
  const auto nonzeroWhere = [&](const auto& isNonzero) {
    each([&](uint64_t element) {
      const uint64_t high = values_[element] >> 8;
      return isNonzero(element) ? nonzero(high) : zero(high);
    });
  };
  const uint64_t number = fill_.number;
  switch (fill_.kind) {
    case FillKind::Random:
      return drawn([&](uint64_t draw, uint64_t) { return draw & mask_; });
    case FillKind::Zeros:
      return each([](uint64_t) { return uint64_t{0}; });
    case FillKind::MinusZero:
      return drawn([&](uint64_t draw, uint64_t) { return zero(draw); });
    case FillKind::Ones:
      return each([&](uint64_t) { return one_; });
    case FillKind::Ramp:
      return each([&](uint64_t element) { return ramp(element); });
    case FillKind::Unique:
      return each([&](uint64_t element) { return unique(element); });
    case FillKind::Mixed:
      return drawn(
          [&](uint64_t draw, uint64_t high) { return draw % 3 == 0 ? zero(high) : nonzero(high); });
    case FillKind::OneBit:
      return drawn([&](uint64_t, uint64_t high) { return oneBit(high, width_); });
    case FillKind::Denormals:
      return drawn([&](uint64_t, uint64_t high) { return denormal(high); });
    case FillKind::NaNs:
      return drawn([&](uint64_t, uint64_t high) { return nan(high); });
    case FillKind::Infinities:
      return drawn([&](uint64_t draw, uint64_t high) {
        if (!isFloat_) return extreme(high);
        if (draw % 2 == 0) return zero(high);
        return format_.infinity() | ((high & 1) ? format_.sign() : 0);
      });
    case FillKind::Extremes:
      return drawn([&](uint64_t, uint64_t high) { return extreme(high); });
    case FillKind::All:
      return nonzeroWhere([](uint64_t) { return true; });
    case FillKind::First:
      return nonzeroWhere([](uint64_t element) { return element == 0; });
    case FillKind::Last:
      return nonzeroWhere([&](uint64_t element) { return element + 1 == count_; });
    case FillKind::Alternate:
      return nonzeroWhere([](uint64_t element) { return element % 2 == 1; });
    case FillKind::Single:
      return nonzeroWhere([at = number % count_](uint64_t element) { return element == at; });
    case FillKind::Runs:
      return nonzeroWhere(
          [&](uint64_t element) { return number == 0 || element / number % 2 == 0; });
    case FillKind::Edges:
      return nonzeroWhere([&](uint64_t element) {
        return number == 0 || element % number == 0 || element % number == number - 1;
      });
    case FillKind::Density:
      return nonzeroWhere(
          [&](uint64_t element) { return positions_[element] % kMillionths < number; });
    case FillKind::Values:
      return each([&](uint64_t element) {
        return fill_.values.empty() ? 0 : fill_.values[element % fill_.values.size()];
      });
    case FillKind::Npy:
      return each([&](uint64_t element) { return npyElement(fill_.npy, type_, element); });
  }
}

uint64_t ValueFill::zero(uint64_t draw) const {
  return isFloat_ && (draw & 1) ? format_.sign() : 0;
}

uint64_t ValueFill::nonzero(uint64_t draw) const {
  return isFloat_ ? nonzeroFloat(draw) : nonzeroInteger(draw);
}

uint64_t ValueFill::nonzeroFloat(uint64_t draw) const {
  const FloatFormat& format = format_;
  const uint64_t sign = (draw & 1) ? format.sign() : 0;
  const uint64_t detail = draw >> 5;
  switch ((draw >> 1) & 15) {
    case 0:
      return sign | 1;  // smallest denormal
    case 1:
      return sign | format.mantissaMask();  // largest denormal
    case 2:
      return denormal(detail);
    case 3:
      return sign | (uint64_t{1} << format.mantissaBits);  // smallest normal
    case 4:
      return sign | (format.infinity() - 1);  // largest finite
    case 5:
      return sign | format.infinity();
    case 6:
    case 7:
      return nan(detail);
    case 8:
    case 9:
      return sign | oneBit(detail, format.exponentBits + format.mantissaBits);
    case 10:
      return sign | one_;
    case 11:
      return sign | bitsOfNumber(type_, 1 + detail % 100);
    default: {
      const uint64_t any = mix64(draw) & (format.sign() - 1);
      return sign | (any == 0 ? 1 : any);
    }
  }
}

uint64_t ValueFill::nonzeroInteger(uint64_t draw) const {
  const uint64_t mask = mask_;
  const uint64_t detail = draw >> 4;
  switch (draw & 15) {
    case 0:
      return 1;
    case 1:
      return mask;  // -1, or the largest unsigned
    case 2:
      return (mask >> 1) + 1;  // the smallest signed
    case 3:
      return mask >> 1;  // the largest signed
    case 4:
    case 5:
    case 6:
      return oneBit(detail, width_);
    case 7:
      return 1 + detail % 100;
    default: {
      const uint64_t any = mix64(draw) & mask;
      return any == 0 ? 1 : any;
    }
  }
}

uint64_t ValueFill::denormal(uint64_t draw) const {
  if (!isFloat_) return oneBit(draw, width_);
  const FloatFormat& format = format_;
  const uint64_t sign = (draw & 1) ? format.sign() : 0;
  switch ((draw >> 1) & 3) {
    case 0:
      return sign | 1;
    case 1:
      return sign | format.mantissaMask();
    case 2:
      return sign | oneBit(draw >> 3, format.mantissaBits);
    default: {
      const uint64_t any = mix64(draw) & format.mantissaMask();
      return sign | (any == 0 ? 1 : any);
    }
  }
}

uint64_t ValueFill::nan(uint64_t draw) const {
  if (!isFloat_) return mix64(draw) & mask_;
  const FloatFormat& format = format_;
  const uint64_t sign = (draw & 1) ? format.sign() : 0;
  const uint64_t quietBit = uint64_t{1} << (format.mantissaBits - 1);
  const uint64_t payload = mix64(draw) & (quietBit - 1);
  const bool quiet = (draw & 2) != 0;
  // A signalling NaN with payload 0 would be an infinity.
  return sign | format.infinity() | (quiet ? quietBit | payload : (payload == 0 ? 1 : payload));
}

uint64_t ValueFill::extreme(uint64_t draw) const {
  if (isFloat_) {
    const FloatFormat& format = format_;
    const uint64_t sign = (draw & 1) ? format.sign() : 0;
    switch ((draw >> 1) & 3) {
      case 0:
        return sign | (format.infinity() - 1);
      case 1:
        return sign | (format.infinity() - 2);
      case 2:
        return sign | (uint64_t{1} << format.mantissaBits);
      default:
        return sign | 1;
    }
  }
  const uint64_t mask = mask_;
  switch (draw & 7) {
    case 0:
      return mask;
    case 1:
      return mask - 1;
    case 2:
      return mask >> 1;
    case 3:
      return (mask >> 1) + 1;
    case 4:
      return (mask >> 1) + 2;
    case 5:
      return 1;
    case 6:
      return 2;
    default:
      return (mask >> 1) - 1;
  }
}

uint64_t ValueFill::ramp(uint64_t element) const {
  if (!isFloat_) return (element + 1) & mask_;
  // Integers up to 2^(mantissa bits + 1) are exact.
  const uint64_t period = uint64_t{2} << format_.mantissaBits;
  return bitsOfNumber(type_, 1 + element % period);
}

// A bijection within every block of 2^width elements, different in each block. So an index wrong by
// a multiple of 2^width also shows.
uint64_t ValueFill::unique(uint64_t element) const {
  const uint64_t block = width_ == 64 ? 0 : element >> width_;
  uint64_t x = (element + (block == 0 ? firstBlock_ : blocks_[block])) & mask_;
  x = (x * 0x9E3779B97F4A7C15u) & mask_;
  x ^= x >> (width_ / 2);
  return (x * 0xD1B54A32D192ED03u) & mask_;
}

uint64_t ValueFill::gap(uint64_t word) const {
  switch (fill_.kind) {
    case FillKind::Ones:
    case FillKind::Ramp:
    case FillKind::OneBit:
    case FillKind::Denormals:
    case FillKind::Extremes:
    case FillKind::All:
      return 0;
    default:
      return gaps_[word] | 0x0101010101010101u;
  }
}

}  // namespace dmlcts

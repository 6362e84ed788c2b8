#include "gpu/wire/cbor.h"

#include <bit>
#include <cmath>
#include <limits>

#include "gpu/wire/path.h"

namespace dmlcts::gpu {
namespace {

double halfToDouble(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int mantissa = bits & 0x3ff;
  double value = 0;
  if (exponent == 0) {
    value = std::ldexp(mantissa, -24);
  } else if (exponent != 31) {
    value = std::ldexp(mantissa + 1024, exponent - 25);
  } else {
    value = mantissa == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

const char* kindName(uint8_t major, uint8_t detail) {
  switch (major) {
    case 0:
      return "an unsigned integer";
    case 1:
      return "a negative integer";
    case 2:
      return "a byte string";
    case 3:
      return "a text";
    case 4:
      return "an array";
    case 5:
      return "a map";
    case 6:
      return "a tag";
    default:
      break;
  }
  if (detail == 20 || detail == 21) return "a boolean";
  if (detail == 22) return "null";
  if (detail >= 25 && detail <= 27) return "a float";
  return "a special value";
}

}  // namespace

void CborWriter::head(uint8_t major, uint64_t argument) {
  uint8_t bytes[9];
  int width = 0;
  uint8_t detail = 0;
  if (argument < 24) {
    detail = static_cast<uint8_t>(argument);
  } else if (argument <= UINT8_MAX) {
    detail = 24;
    width = 1;
  } else if (argument <= UINT16_MAX) {
    detail = 25;
    width = 2;
  } else if (argument <= UINT32_MAX) {
    detail = 26;
    width = 4;
  } else {
    detail = 27;
    width = 8;
  }
  bytes[0] = static_cast<uint8_t>(major << 5 | detail);
  for (int i = width; i > 0; --i) {
    bytes[i] = static_cast<uint8_t>(argument);
    argument >>= 8;
  }
  out_.insert(out_.end(), bytes, bytes + 1 + width);
}

void CborWriter::integer(int64_t value) {
  if (value >= 0) {
    head(0, static_cast<uint64_t>(value));
  } else {
    head(1, ~static_cast<uint64_t>(value));  // RFC 8949: the argument is -1 - value
  }
}

void CborWriter::number(double value) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint8_t bytes[9] = {0xfb};
  for (int i = 8; i > 0; --i) {
    bytes[i] = static_cast<uint8_t>(bits);
    bits >>= 8;
  }
  out_.insert(out_.end(), bytes, bytes + 9);
}

void CborWriter::text(std::string_view value) {
  std::string clean;
  if (value.size() > kMaxTextBytes || !isCleanText(value)) {
    clean = cleanText(value, kMaxTextBytes);
    value = clean;
  }
  head(3, value.size());
  out_.insert(out_.end(), value.begin(), value.end());
}

void CborWriter::binary(std::span<const uint8_t> value) {
  head(2, value.size());
  out_.insert(out_.end(), value.begin(), value.end());
}

std::span<const uint8_t> CborReader::take(uint64_t length, const char* what) {
  const size_t left = bytes_.size() - at_;
  if (length > left) {
    path_.fail(std::string(what) + " of " + std::to_string(length) + " bytes where " +
               std::to_string(left) + " are left");
  }
  const auto taken = bytes_.subspan(at_, static_cast<size_t>(length));
  at_ += static_cast<size_t>(length);
  return taken;
}

CborReader::Head CborReader::head() {
  if (at_ == bytes_.size()) path_.fail("the message ends here");
  const uint8_t initial = bytes_[at_++];
  Head head{static_cast<uint8_t>(initial >> 5), static_cast<uint8_t>(initial & 0x1f), 0};
  if (head.detail < 24) {
    head.argument = head.detail;
  } else if (head.detail < 28) {
    for (uint8_t byte : take(uint64_t{1} << (head.detail - 24), "a head")) {
      head.argument = head.argument << 8 | byte;
    }
  } else {
    path_.fail(head.detail == 31 ? "indefinite lengths are not allowed" : "not well-formed CBOR");
  }
  return head;
}

void CborReader::mismatch(const Head& found, const char* what) const {
  path_.fail(std::string(kindName(found.major, found.detail)) + " where " + what + " must be");
}

CborReader::Head CborReader::expect(uint8_t major, const char* what) {
  const Head found = head();
  if (found.major != major) mismatch(found, what);
  return found;
}

uint64_t CborReader::unsignedInteger(uint64_t max) {
  const uint64_t value = expect(0, "an unsigned integer").argument;
  if (value > max) path_.fail(std::to_string(value) + " is more than " + std::to_string(max));
  return value;
}

int64_t CborReader::integer(int64_t min, int64_t max) {
  const Head found = head();
  if (found.major > 1) mismatch(found, "an integer");
  if (found.argument > static_cast<uint64_t>(INT64_MAX)) path_.fail("an integer beyond 64 bits");
  const auto magnitude = static_cast<int64_t>(found.argument);
  const int64_t value = found.major == 0 ? magnitude : -1 - magnitude;
  if (value < min || value > max) {
    path_.fail(std::to_string(value) + " is outside " + std::to_string(min) + " … " +
               std::to_string(max));
  }
  return value;
}

bool CborReader::boolean() {
  const Head found = head();
  if (found.major != 7 || (found.detail != 20 && found.detail != 21)) mismatch(found, "a boolean");
  return found.detail == 21;
}

double CborReader::number() {
  const Head found = head();
  if (found.major == 0) return static_cast<double>(found.argument);
  if (found.major == 1) return -1.0 - static_cast<double>(found.argument);
  if (found.major == 7 && found.detail == 25) {
    return halfToDouble(static_cast<uint16_t>(found.argument));
  }
  if (found.major == 7 && found.detail == 26) {
    return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(found.argument)));
  }
  if (found.major == 7 && found.detail == 27) return std::bit_cast<double>(found.argument);
  mismatch(found, "a number");
}

std::string_view CborReader::text(size_t maxBytes) {
  const uint64_t length = expect(3, "a text").argument;
  const auto bytes = take(length, "a text");
  if (length > maxBytes) {
    path_.fail("a text of " + std::to_string(length) + " bytes, more than " +
               std::to_string(maxBytes));
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!isCleanText(text)) path_.fail("a text that is not UTF-8");
  return text;
}

std::span<const uint8_t> CborReader::binary() {
  return take(expect(2, "a byte string").argument, "a byte string");
}

size_t CborReader::array(size_t maxElements) {
  const uint64_t elements = expect(4, "an array").argument;
  if (elements > maxElements) {
    path_.fail(std::to_string(elements) + " elements, more than " + std::to_string(maxElements));
  }
  if (elements > bytes_.size() - at_) {
    path_.fail(std::to_string(elements) + " elements where " + std::to_string(bytes_.size() - at_) +
               " bytes are left");
  }
  return static_cast<size_t>(elements);
}

size_t CborReader::map(size_t maxMembers) {
  const uint64_t members = expect(5, "a map").argument;
  if (members > maxMembers) {
    path_.fail(std::to_string(members) + " members, more than " + std::to_string(maxMembers));
  }
  return static_cast<size_t>(members);
}

void CborReader::end() {
  if (at_ != bytes_.size()) {
    path_.fail(std::to_string(bytes_.size() - at_) + " bytes after the end of the message");
  }
}

}  // namespace dmlcts::gpu

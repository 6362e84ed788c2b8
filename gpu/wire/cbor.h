#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/wire/path.h"

// The part of CBOR (RFC 8949) that the worker's frames use: integers, byte and text strings, arrays
// and maps of definite length, booleans, floats. No tags, no indefinite lengths, no null.
//
// Our own, because messages are decoded straight into their structs: a JSON document in between
// took 53 µs for a small request (7 µs here) and 150 MB/s for large buffers, and nlohmann's reader
// recurses as deep as the bytes tell it to. The tests compare this one with nlohmann::json.

namespace dmlcts::gpu {

// The longest text, in bytes. The writer cuts what is longer, the reader refuses it.
inline constexpr size_t kMaxTextBytes = 16384;

// Appends CBOR to a buffer.
class CborWriter {
 public:
  explicit CborWriter(std::vector<uint8_t>& out) : out_(out) {}

  void array(size_t elements) { head(4, elements); }
  void map(size_t members) { head(5, members); }
  void unsignedInteger(uint64_t value) { head(0, value); }
  void integer(int64_t value);
  void boolean(bool value) { out_.push_back(value ? 0xf5 : 0xf4); }
  void number(double value);
  void text(std::string_view value);  // cleaned and cut as cleanText does
  void binary(std::span<const uint8_t> value);

 private:
  void head(uint8_t major, uint64_t argument);

  std::vector<uint8_t>& out_;
};

// Reads CBOR item by item: the caller says what must come next, anything else is a ProtocolError.
// Allocates nothing in proportion to a length that the bytes only claim.
class CborReader {
 public:
  // Faults are reported at `path`, which the caller keeps at the item being read. `bytes` must
  // outlive the reader and the views it returns.
  CborReader(std::span<const uint8_t> bytes, Path& path) : bytes_(bytes), path_(path) {}

  uint64_t unsignedInteger(uint64_t max = UINT64_MAX);
  int64_t integer(int64_t min = INT64_MIN, int64_t max = INT64_MAX);
  bool boolean();
  double number();                                         // a float of any width or an integer
  std::string_view text(size_t maxBytes = kMaxTextBytes);  // valid UTF-8
  std::span<const uint8_t> binary();

  // The number of elements or members that follow, which the remaining bytes can hold.
  size_t array(size_t maxElements);
  size_t map(size_t maxMembers);

  // Throws unless every byte was read.
  void end();

 private:
  struct Head {
    uint8_t major;
    uint8_t detail;  // the low five bits
    uint64_t argument;
  };

  Head head();
  Head expect(uint8_t major, const char* what);
  [[noreturn]] void mismatch(const Head& found, const char* what) const;
  std::span<const uint8_t> take(uint64_t length, const char* what);

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  Path& path_;
};

}  // namespace dmlcts::gpu

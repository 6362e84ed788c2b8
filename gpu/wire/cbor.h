#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/wire/path.h"

// The subset of CBOR (RFC 8949) in the worker's frames: integers, byte and text strings, arrays and
// maps of definite length, booleans, floats. No tags, no indefinite lengths, no null.
//
// Our own implementation decodes messages straight into their structs. An intermediate JSON
// document took 53 µs for a small request (7 µs here) and 150 MB/s for large buffers. nlohmann's
// reader also recurses as deep as the input demands. Tests compare both.

namespace dmlcts::gpu {

// The longest text, in bytes. The writer cuts longer text, the reader refuses it.
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
  void text(std::string_view value);  // cleaned and cut by cleanText
  void binary(std::span<const uint8_t> value);

 private:
  void head(uint8_t major, uint64_t argument);

  std::vector<uint8_t>& out_;
};

// Reads CBOR item by item. The caller requests the next item's type; any other is a ProtocolError.
// Never allocates in proportion to a length that the bytes only claim.
class CborReader {
 public:
  // Reports faults at `path`, which the caller keeps at the current item. `bytes` must outlive the
  // reader and the views it returns.
  CborReader(std::span<const uint8_t> bytes, Path& path) : bytes_(bytes), path_(path) {}

  uint64_t unsignedInteger(uint64_t max = UINT64_MAX);
  int64_t integer(int64_t min = INT64_MIN, int64_t max = INT64_MAX);
  bool boolean();
  double number();                                         // a float of any width or an integer
  std::string_view text(size_t maxBytes = kMaxTextBytes);  // valid UTF-8
  std::span<const uint8_t> binary();

  // Returns the number of elements or members that follow. The remaining bytes can hold them.
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

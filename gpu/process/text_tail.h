#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dmlcts::gpu {

// Keeps the end of an endless text in bounded memory.
class TextTail {
 public:
  explicit TextTail(size_t capacity) : capacity_(capacity) {}

  void append(std::string_view text);

  // Returns at most the last `capacity` bytes, as UTF-8, after a note if bytes were dropped.
  // Empties the tail.
  std::string take();

  size_t memory() const { return text_.capacity(); }  // in bytes

 private:
  size_t capacity_;
  std::string text_;  // up to twice the capacity, to drop rarely
  uint64_t dropped_ = 0;
};

}  // namespace dmlcts::gpu

#include "gpu/wire/clean_text.h"

#include <algorithm>

namespace dmlcts::gpu {
namespace {

// The length of the valid UTF-8 character that `text` starts with; 0 when there is none.
size_t characterLength(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const auto follows = [&](size_t i, uint8_t low = 0x80, uint8_t high = 0xbf) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const uint8_t low = first == 0xe0 ? 0xa0 : 0x80;   // no overlong form
    const uint8_t high = first == 0xed ? 0x9f : 0xbf;  // no surrogate
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const uint8_t low = first == 0xf0 ? 0x90 : 0x80;
    const uint8_t high = first == 0xf4 ? 0x8f : 0xbf;  // nothing past U+10FFFF
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

bool isCleanText(std::string_view text) {
  // Nearly all text is ASCII, which a compiler tests many bytes at a time.
  unsigned high = 0;
  for (char byte : text) high |= static_cast<uint8_t>(byte);
  if (high < 0x80) return true;
  while (!text.empty()) {
    const size_t length = characterLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string cleanText(std::string_view text, size_t maxBytes) {
  std::string clean;
  clean.reserve(std::min(text.size(), maxBytes));
  while (!text.empty()) {
    const size_t length = characterLength(text);
    const size_t step = length == 0 ? 1 : length;
    if (clean.size() + step > maxBytes) break;
    if (length == 0) {
      clean.push_back('?');
    } else {
      clean.append(text.substr(0, length));
    }
    text.remove_prefix(step);
  }
  return clean;
}

}  // namespace dmlcts::gpu

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// UTF-8 as in RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF.

namespace dmlcts {

constexpr bool continuesCodePoint(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) == 0x80; }

struct CodePoint {
  uint32_t code = 0;
  size_t bytes = 0;  // its length; 0 if there is none
};

// Returns the code point at the start of the text.
constexpr CodePoint firstCodePoint(std::string_view text) {
  if (text.empty()) return {};
  const auto lead = static_cast<uint8_t>(text[0]);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xC2 || lead > 0xF4) return {};
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (text.size() < length) return {};
  uint32_t code = lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if (!continuesCodePoint(text[i])) return {};
    code = code << 6 | (static_cast<uint8_t>(text[i]) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, length};
}

// True for characters that could control a terminal or hide text: control characters and direction
// overrides.
constexpr bool isHidden(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// Returns one line of plain text: hidden characters appear as \x1B or \u{202E}, and invalid UTF-8
// as U+FFFD. So does the first character of a command to a CI service: "::error", "##vso[".
std::string plainLine(std::string_view text);

// Like plainLine(), but keeps tabs and newlines; drops carriage returns before a newline.
std::string plainText(std::string_view text);

}  // namespace dmlcts

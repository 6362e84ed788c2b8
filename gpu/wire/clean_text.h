#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Text from outside (drivers, other processes) may have any encoding; reports are UTF-8.

namespace dmlcts::gpu {

// True if it is valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF).
bool isCleanText(std::string_view text);

// Returns `text` with '?' for each byte outside valid UTF-8, cut to `maxBytes` at a character
// boundary.
std::string cleanText(std::string_view text, size_t maxBytes);

}  // namespace dmlcts::gpu

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Text from outside (drivers, other processes) comes in any encoding; reports are UTF-8.

namespace dmlcts::gpu {

// Whether it is valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF).
bool isCleanText(std::string_view text);

// `text` with every byte that is not part of valid UTF-8 replaced by '?', cut to `maxBytes` at a
// character's edge.
std::string cleanText(std::string_view text, size_t maxBytes);

}  // namespace dmlcts::gpu

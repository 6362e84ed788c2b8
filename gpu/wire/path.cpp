#include "gpu/wire/path.h"

#include <algorithm>

#include "gpu/wire/utf8.h"

namespace dmlcts::gpu {
namespace {

constexpr size_t kMaxNameBytes = 64;  // a name may come from hostile bytes

}  // namespace

std::string Path::text() const {
  std::string text(root_);
  for (const Step& step : steps_) {
    if (step.member.empty()) {
      text += '[' + std::to_string(step.index) + ']';
    } else {
      text += '.' + cleanText(step.member, kMaxNameBytes);
    }
  }
  return text;
}

void Path::fail(const std::string& fault) const { throw ProtocolError(text() + ": " + fault); }

void Path::fail(std::string_view member, const std::string& fault) const {
  throw ProtocolError(text() + '.' + cleanText(member, kMaxNameBytes) + ": " + fault);
}

bool isCleanText(std::string_view text) {
  // Nearly all text is ASCII, which compilers test many bytes at a time.
  unsigned high = 0;
  for (char byte : text) high |= static_cast<uint8_t>(byte);
  if (high < 0x80) return true;
  while (!text.empty()) {
    const size_t length = firstCodePoint(text).bytes;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string cleanText(std::string_view text, size_t maxBytes) {
  std::string clean;
  clean.reserve(std::min(text.size(), maxBytes));
  while (!text.empty()) {
    const size_t length = firstCodePoint(text).bytes;
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

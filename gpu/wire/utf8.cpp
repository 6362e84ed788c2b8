#include "gpu/wire/utf8.h"

#include <algorithm>

namespace dmlcts {
namespace {

// Appends \x1B or \u{202E}.
void appendVisibly(std::string& out, uint32_t code) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  out += code < 0x100 ? "\\x" : "\\u{";
  for (int shift = code < 0x100 ? 4 : 12; shift >= 0; shift -= 4)
    out += kDigits[code >> shift & 15];
  if (code >= 0x100) out += '}';
}

// True where a CI service would find a command of its own: GitHub's "::error" at the start of a
// line, or Azure's "##vso[" and "##[" anywhere.
bool beginsCommand(std::string_view text, bool atStart) {
  return (atStart && text.starts_with("::")) || text.starts_with("##vso[") ||
         text.starts_with("##[");
}

}  // namespace

std::string plainLine(std::string_view text) {
  std::string out;
  bool atStart = true;  // apart from spaces
  while (!text.empty()) {
    const auto [code, bytes] = firstCodePoint(text);
    const bool isCommand = beginsCommand(text, atStart);
    atStart = atStart && code == ' ';
    if (bytes == 0) {
      out += "\uFFFD";
    } else if (isHidden(code) || isCommand) {
      appendVisibly(out, code);
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return out;
}

std::string plainText(std::string_view text) {
  std::string out;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (end < text.size() && line.ends_with('\r')) line.remove_suffix(1);
    for (size_t tab; (tab = line.find('\t')) != line.npos; line.remove_prefix(tab + 1)) {
      out += plainLine(line.substr(0, tab)) + '\t';
    }
    out += plainLine(line);
    if (end < text.size()) out += '\n';
    begin = end + 1;
  }
  return out;
}

}  // namespace dmlcts

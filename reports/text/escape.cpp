#include "reports/text/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gpu/wire/utf8.h"

namespace dmlcts {
namespace {

// Calls visit(code point, its bytes) from first to last; U+FFFD for each invalid byte.
template <typename Visit>
void forEachCodePoint(std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const auto [code, bytes] = firstCodePoint(text);
    if (bytes == 0) {
      visit(uint32_t{0xFFFD}, std::string_view("\xEF\xBF\xBD"));
    } else {
      visit(code, text.substr(0, bytes));
    }
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
}

bool isControl(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
}

bool isDirectionOverride(uint32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// Noncharacters that XML 1.0 cannot contain, in any spelling.
bool isOutsideXml(uint32_t code) { return code == 0xFFFE || code == 0xFFFF; }

void appendVisibly(std::string& out, uint32_t code) {
  out += code < 0x100 ? fmt::format("\\x{:02X}", code) : fmt::format("\\u{{{:X}}}", code);
}

size_t longestRunOfBackticks(std::string_view text) {
  size_t longest = 0;
  size_t run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string plainLine(std::string_view text) {
  std::string out;
  forEachCodePoint(text, [&](uint32_t code, std::string_view bytes) {
    if (isControl(code) || isDirectionOverride(code)) {
      appendVisibly(out, code);
    } else {
      out += bytes;
    }
  });
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

std::string indentedText(std::string_view text) {
  std::string out;
  const std::string plain = plainText(text);
  for (size_t begin = 0; begin < plain.size();) {
    const size_t end = std::min(plain.find('\n', begin), plain.size());
    out += "  " + plain.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out;
}

std::string escapeMarkup(std::string_view text) {
  std::string out;
  forEachCodePoint(text, [&](uint32_t code, std::string_view bytes) {
    switch (code) {
      case '&':
        out += "&amp;";
        return;
      case '<':
        out += "&lt;";
        return;
      case '>':
        out += "&gt;";
        return;
      case '"':
        out += "&quot;";
        return;
      case '\'':
        out += "&#39;";
        return;
      case '\t':
        out += "&#9;";
        return;  // spelled out, so that attributes keep them
      case '\n':
        out += "&#10;";
        return;
      default:
        break;
    }
    if (isControl(code) || isDirectionOverride(code) || isOutsideXml(code)) {
      appendVisibly(out, code);
    } else {
      out += bytes;
    }
  });
  return out;
}

std::string escapeJsonForHtml(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i, 3);
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (json[i] == '>') {
      out += "\\u003e";
    } else if (json[i] == '&') {
      out += "\\u0026";
    } else if (rest == "\xE2\x80\xA8" || rest == "\xE2\x80\xA9") {
      out += rest == "\xE2\x80\xA8" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += json[i];
    }
  }
  return out;
}

std::string markdownCode(std::string_view text) {
  std::string line = plainLine(text);
  if (line.empty()) return "";
  for (size_t bar = 0; (bar = line.find('|', bar)) != line.npos; bar += 2) {
    line.insert(bar, 1, '\\');  // escapes the only special character of a table cell
  }
  const std::string fence(longestRunOfBackticks(line) + 1, '`');
  const bool pad = line.starts_with('`') || line.ends_with('`') || line.starts_with(' ');
  return pad ? fence + " " + line + " " + fence : fence + line + fence;
}

std::string markdownRow(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string markdownBlock(std::string_view text) {
  std::string block = plainText(text);
  if (!block.ends_with('\n')) block += '\n';
  const std::string fence(std::max<size_t>(3, longestRunOfBackticks(block) + 1), '`');
  return fence + "text\n" + block + fence + "\n";
}

}  // namespace dmlcts

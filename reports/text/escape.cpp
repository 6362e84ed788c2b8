#include "reports/text/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace dmlcts {
namespace {

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

std::string lastLines(std::string_view text) {
  constexpr int kLines = 8;
  const std::string plain = plainText(text);
  const size_t last = plain.find_last_not_of('\n');
  if (last == plain.npos) return "";
  size_t begin = last + 1;
  for (int lines = 0; lines < kLines && begin != 0; ++lines) {
    const size_t newline = begin < 2 ? plain.npos : plain.rfind('\n', begin - 2);
    begin = newline == plain.npos ? 0 : newline + 1;
  }
  return plain.substr(begin, last + 1 - begin) + '\n';
}

std::string escapeMarkup(std::string_view text) {
  std::string plain = plainText(text);
  // Noncharacters that XML 1.0 cannot contain, in any spelling.
  for (const auto& [bytes, shown] :
       {std::pair("\xEF\xBF\xBE", "\\u{FFFE}"), {"\xEF\xBF\xBF", "\\u{FFFF}"}}) {
    for (size_t at; (at = plain.find(bytes)) != plain.npos;) plain.replace(at, 3, shown);
  }
  // Spells out tabs and newlines, so that attributes keep them.
  constexpr std::string_view kSpecial = "&<>\"'\t\n";
  constexpr std::array<std::string_view, kSpecial.size()> kEntities{
      "&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#9;", "&#10;"};
  std::string out;
  for (const char c : plain) {
    const size_t special = kSpecial.find(c);
    out += special == kSpecial.npos ? std::string_view(&c, 1) : kEntities[special];
  }
  return out;
}

std::string markdownText(std::string_view text) {
  constexpr const char* kWordJoiner = "\u2060";  // invisible; ends "@name", "http://…" and "www.…"
  const std::string plain = plainLine(text);
  std::string out;
  for (size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    if (std::string_view("\\`*[]<>|#&~").find(c) != std::string_view::npos) out += '\\';
    out += c;
    const std::string_view before = std::string_view(plain).substr(0, i + 1);
    const bool linksOn =
        c == '@' || (c == ':' && plain.compare(i + 1, 2, "//") == 0) || before.ends_with("www.");
    if (linksOn) out += kWordJoiner;
  }
  return out;
}

std::string escapeJsonForHtml(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (const char c : json) {
    if (c == '<' || c == '>' || c == '&') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
    } else {
      out += c;
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

std::string toText(const ReportDocument& document, int indent) {
  std::string text = document.dump(indent, ' ', true, ReportDocument::error_handler_t::replace);
  // Azure's CI service would take "##vso[" for a command, also within a line.
  for (const std::string_view command : {"##vso[", "##["}) {
    for (size_t at; (at = text.find(command)) != text.npos;) text.replace(at, 1, "\\u0023");
  }
  return text;
}

}  // namespace dmlcts

#pragma once

#include <string>
#include <string_view>
#include <vector>

// Text of unknown origin (a worker's stderr, an adapter's name, a journal of somebody else's) made
// safe for the place where it goes. All take any bytes; what is not UTF-8 becomes U+FFFD.

namespace dmlcts {

// One line of plain text: control characters and direction overrides, which could drive a
// terminal or hide text, appear as \x1B or \u{202E}.
std::string plainLine(std::string_view text);

// The same, but keeps tabs and newlines; carriage returns before a newline are dropped.
std::string plainText(std::string_view text);

// The same, with every line indented, so that none of them can pass for one of ours; ends with a
// newline unless it is empty.
std::string indentedText(std::string_view text);

// Character data and quoted attribute values of XML 1.0 and of HTML.
std::string escapeMarkup(std::string_view text);

// JSON text (already valid) for a <script> element: no "<", ">", "&", U+2028 or U+2029 remains.
std::string escapeJsonForHtml(std::string_view json);

// Markdown code, which shows every character as itself: within a line or table cell, and as a
// block of its own with a newline at its end.
std::string markdownCode(std::string_view text);
std::string markdownBlock(std::string_view text);

// A row of a Markdown table, with a newline; cells may hold Markdown.
std::string markdownRow(const std::vector<std::string>& cells);

}  // namespace dmlcts

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/wire/utf8.h"  // plainLine, plainText

// Makes text of unknown origin (a worker's stderr, an adapter's name, a foreign journal) safe for
// its destination. All functions take any bytes; invalid UTF-8 becomes U+FFFD.

namespace dmlcts {

// Like plainText(), with every line indented, so that none can pass for one of ours. Ends with a
// newline unless it is empty.
std::string indentedText(std::string_view text);

// Returns the last lines of a worker's stderr, as many as a report shows beside a failure.
std::string lastLines(std::string_view text);

// Escapes character data and quoted attribute values of XML 1.0 and HTML.
std::string escapeMarkup(std::string_view text);

// Escapes JSON of toText() for a <script> element: no "<", ">" or "&" remains.
std::string escapeJsonForHtml(std::string_view json);

// Returns Markdown that shows the text, a line, as it is: without links, and without mentions of
// anybody ("@name").
std::string markdownText(std::string_view text);

// Return Markdown code, which shows every character as itself: within a line or table cell, or as a
// block that ends in a newline.
std::string markdownCode(std::string_view text);
std::string markdownBlock(std::string_view text);

// Returns a row of a Markdown table with a newline; cells may hold Markdown.
std::string markdownRow(const std::vector<std::string>& cells);

// JSON that keeps the order of its members.
using ReportDocument = nlohmann::ordered_json;

// Returns an array with a value for each item of the list.
template <class List, class ToJson>
ReportDocument arrayOf(const List& list, const ToJson& toJson) {
  auto all = ReportDocument::array();
  for (const auto& each : list) all.push_back(toJson(each));
  return all;
}

// Returns ASCII JSON, which cannot control a terminal; invalid UTF-8 becomes U+FFFD. `indent` is
// nlohmann::json::dump's.
std::string toText(const ReportDocument& document, int indent);

}  // namespace dmlcts

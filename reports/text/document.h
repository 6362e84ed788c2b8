#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dmlcts {

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

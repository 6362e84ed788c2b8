#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dmlcts {

// JSON that keeps the order of its members.
using ReportDocument = nlohmann::ordered_json;

// Returns ASCII JSON, which cannot control a terminal; invalid UTF-8 becomes U+FFFD. `indent` is
// nlohmann::json::dump's.
std::string toText(const ReportDocument& document, int indent);

}  // namespace dmlcts

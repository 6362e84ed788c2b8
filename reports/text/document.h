#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dmlcts {

// JSON that keeps the order of its members.
using ReportDocument = nlohmann::ordered_json;

// JSON text in ASCII, which drives no terminal; what is not UTF-8 becomes U+FFFD. `indent` as
// nlohmann::json::dump takes it.
std::string toText(const ReportDocument& document, int indent);

}  // namespace dmlcts

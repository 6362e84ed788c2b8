#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "reports/summary.h"

namespace dmlcts {

using ReportDocument = nlohmann::ordered_json;

// The content of report.json, with details of the first `maxFailures` failures only.
ReportDocument toDocument(const Report& report, size_t maxFailures);

// JSON text; what is not UTF-8 becomes U+FFFD. `indent` as nlohmann::json::dump takes it.
std::string toText(const ReportDocument& document, int indent);

}  // namespace dmlcts

#include "reports/text/document.h"

namespace dmlcts {

std::string toText(const ReportDocument& document, int indent) {
  return document.dump(indent, ' ', true, ReportDocument::error_handler_t::replace);
}

}  // namespace dmlcts

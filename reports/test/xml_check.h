#pragma once

#include <string>
#include <string_view>

namespace dmlcts {

// What keeps `text` from being a well-formed XML 1.0 document in UTF-8, or "". For the part of XML
// that this suite writes: no comments, CDATA sections, processing instructions or document type.
std::string xmlError(std::string_view text);

}  // namespace dmlcts

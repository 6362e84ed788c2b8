#pragma once

#include <string_view>

namespace dmlcts {

// The parts of the report page, embedded from reports/html/ when this is built.
struct HtmlParts {
  std::string_view page;    // template.html, with {{title}}, {{style}}, {{summary}}, {{data}},
                            // {{script}}
  std::string_view style;   // style.css
  std::string_view script;  // app/*.js, in the order that CMakeLists.txt lists them
};

const HtmlParts& htmlParts();

}  // namespace dmlcts

#pragma once

#include <string_view>

namespace dmlcts {

// The parts of the report page, embedded from reports/html/ by the build.
struct HtmlParts {
  std::string_view page;    // template.html, with placeholders like {{title}}
  std::string_view style;   // style.css
  std::string_view script;  // app/*.js, in the order that CMakeLists.txt lists them
  std::string_view charts;  // Chart.js; empty if not installed
};

const HtmlParts& htmlParts();

}  // namespace dmlcts

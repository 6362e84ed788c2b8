#pragma once

#include <string_view>

namespace dmlcts {

// The parts of the report page, embedded from reports/html/ when this is built.
struct HtmlParts {
  std::string_view page;    // template.html, with placeholders like {{title}}
  std::string_view style;   // style.css
  std::string_view script;  // app/*.js, in the order that CMakeLists.txt lists them
  std::string_view charts;  // Chart.js; empty where it was not installed
};

const HtmlParts& htmlParts();

}  // namespace dmlcts

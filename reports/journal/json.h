#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "reports/journal/input_error.h"

// The one way from text to JSON. What nlohmann::json makes of deeper text overflows the stack where
// it is copied, compared or printed.

namespace dmlcts {

// Arrays and objects inside one another; none of our files has more than ten.
inline constexpr size_t kMostNested = 64;

// Throws InputError where the text is nested deeper than kMostNested. Text that is no JSON may
// pass.
void requireShallow(std::string_view text, std::string_view where);

[[noreturn]] void throwNotJson(const nlohmann::json::exception& error, std::string_view where);

// Throws InputError, "WHERE: not JSON: …"; without the first part where `where` is empty.
template <class Json = nlohmann::json>
Json parseJson(std::string_view text, std::string_view where) {
  requireShallow(text, where);
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throwNotJson(error, where);
  }
}

}  // namespace dmlcts

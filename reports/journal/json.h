#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/wire/utf8.h"
#include "reports/journal/input_error.h"

// The one way from text to JSON. What nlohmann::json makes of deeper text overflows the stack where
// it is copied, compared or printed. Strings lose characters that could control a terminal.

namespace dmlcts {

// Arrays and objects inside one another; none of our files has more than ten.
inline constexpr size_t kMostNested = 64;

// Throws InputError where the text is nested deeper than kMostNested. Text that is no JSON may
// pass.
void requireShallow(std::string_view text, std::string_view where);

// False if no string of the JSON text has a character that plainLine() changes.
bool mayHide(std::string_view text);

// True for members whose text may have several lines: none is printed within a line.
bool mayHaveLines(std::string_view member);

template <class Json>
void makePlain(Json& json, bool lines) {
  if (json.is_string()) {
    auto& text = json.template get_ref<std::string&>();
    text = lines ? plainText(text) : plainLine(text);
  } else if (json.is_object()) {
    Json plain = Json::object();
    for (auto& [name, value] : json.items()) {
      makePlain(value, mayHaveLines(name));
      plain[plainLine(name)] = std::move(value);
    }
    json = std::move(plain);
  } else if (json.is_array()) {
    for (Json& each : json) makePlain(each, lines);
  }
}

// Returns the library's message without the name of its exception.
std::string problemOf(const nlohmann::json::exception& error);

[[noreturn]] void throwNotJson(const nlohmann::json::exception& error, std::string_view where);

// Throws InputError, "WHERE: not JSON: …"; without the first part where `where` is empty.
template <class Json = nlohmann::json>
Json parseJson(std::string_view text, std::string_view where) {
  requireShallow(text, where);
  try {
    Json json = Json::parse(text);
    if (mayHide(text)) makePlain(json, false);
    return json;
  } catch (const nlohmann::json::exception& error) {
    throwNotJson(error, where);
  }
}

}  // namespace dmlcts

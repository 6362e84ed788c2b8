#pragma once

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/wire/utf8.h"
#include "reports/journal/input_file.h"

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

// Strict access to the members of an object. Errors name their place.
class JsonEntry {
 public:
  JsonEntry(const nlohmann::json& value, std::string where)
      : value_(value), where_(std::move(where)) {
    if (!value_.is_object()) fail("is not an object");
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(where_ + ": " + problem);
  }

  template <class Names = std::initializer_list<std::string_view>>
  void allowOnly(const Names& names) const {
    for (const auto& [name, unused] : value_.items()) {
      if (std::ranges::find(names, name) == names.end()) fail("unknown member \"" + name + "\"");
    }
  }

  bool has(const std::string& name) const { return value_.contains(name); }
  bool isObject(const std::string& name) const { return has(name) && value_[name].is_object(); }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, unused] : value_.items()) all.push_back(name);
    return all;
  }

  std::string text(const char* name) const {
    if (!has(name)) return {};
    if (!value_[name].is_string()) fail(fmt::format("\"{}\" is not a text", name));
    return value_[name].get<std::string>();
  }

  std::optional<uint64_t> number(const char* name) const {
    if (!has(name)) return std::nullopt;
    if (!value_[name].is_number_unsigned()) {
      fail(fmt::format("\"{}\" is not a number from 0 on", name));
    }
    return value_[name].get<uint64_t>();
  }

  // The member must exist.
  const nlohmann::json& value(const std::string& name) const { return value_[name]; }

  JsonEntry member(const std::string& name) const { return {value_[name], where_ + "." + name}; }

 private:
  const nlohmann::json& value_;
  std::string where_;
};

}  // namespace dmlcts

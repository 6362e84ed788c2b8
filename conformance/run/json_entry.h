#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/journal/input_error.h"

namespace dmlcts {

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

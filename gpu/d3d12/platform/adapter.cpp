#include "gpu/d3d12/platform/adapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace dmlcts::gpu {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::optional<size_t> number(std::string_view text) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Normalizes an id: strips a LUID's leading zeros and a UUID's dashes.
std::string digits(std::string_view id) {
  std::string result = lower(id);
  const bool prefixed = result.starts_with("0x");
  if (prefixed) result.erase(0, 2);
  std::erase(result, '-');
  if (prefixed) result.erase(0, std::min(result.find_first_not_of('0'), result.size()));
  return result;
}

bool isId(const std::string& wanted, const std::string& id) {
  return !id.empty() && wanted.starts_with("0x") == id.starts_with("0x") &&
         digits(wanted) == digits(id);
}

}  // namespace

std::string describe(size_t index, const Adapter& adapter) {
  std::string text = fmt::format("{}: {}", index, adapter.name);
  if (!adapter.id.empty()) text += ", " + adapter.id;
  text += fmt::format(", vendor 0x{:04x}, device 0x{:04x}", adapter.vendorId, adapter.deviceId);
  if (!adapter.driver.empty()) text += ", driver " + adapter.driver;
  return text;
}

std::string describe(std::span<const Adapter> adapters) {
  std::string text;
  for (size_t i = 0; i < adapters.size(); ++i) text += describe(i, adapters[i]) + '\n';
  return text;
}

size_t selectAdapter(const std::string& wanted, std::span<const Adapter> adapters) {
  if (adapters.empty()) throw std::runtime_error("this system has no Direct3D 12 adapter");
  if (wanted.empty()) return 0;
  if (const auto index = number(wanted); index && *index < adapters.size()) return *index;

  const std::string name = lower(wanted);
  std::vector<size_t> whole;
  std::vector<size_t> part;
  for (size_t i = 0; i < adapters.size(); ++i) {
    if (isId(name, lower(adapters[i].id))) return i;
    const std::string own = lower(adapters[i].name);
    if (own == name) whole.push_back(i);
    if (own.find(name) != std::string::npos) part.push_back(i);
  }
  const std::vector<size_t>& fitting = whole.empty() ? part : whole;
  if (fitting.size() == 1) return fitting.front();
  if (fitting.empty()) {
    throw std::runtime_error(fmt::format("no adapter is, or is named like, '{}'; there are:\n{}",
                                         wanted, describe(adapters)));
  }
  std::string candidates;
  for (size_t i : fitting) candidates += describe(i, adapters[i]) + '\n';
  throw std::runtime_error(
      fmt::format("several adapters are named like '{}': choose one by its index or id:\n{}",
                  wanted, candidates));
}

}  // namespace dmlcts::gpu

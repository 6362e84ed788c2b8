#include "conformance/run/target_identity.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "conformance/facts/query.h"
#include "conformance/language/nearest.h"
#include "reports/journal/journal_members.h"

namespace dmlcts {
namespace {

struct Key {
  std::string_view name;
  std::string (*value)(const gpu::Identity& identity);
};

std::string idText(uint32_t id) { return id == 0 ? "" : fmt::format("0x{:04x}", id); }

constexpr std::array kKeys{
    Key{"target", [](const gpu::Identity& of) { return of.target; }},
    Key{"adapter", [](const gpu::Identity& of) { return of.adapter; }},
    Key{"vendor", [](const gpu::Identity& of) { return idText(of.vendorId); }},
    Key{"device", [](const gpu::Identity& of) { return idText(of.deviceId); }},
    Key{"driver", [](const gpu::Identity& of) { return of.driver; }},
    Key{"runtime", [](const gpu::Identity& of) { return of.runtime; }},
    Key{"implementation", [](const gpu::Identity& of) { return of.implementation; }},
    Key{"shader-model", [](const gpu::Identity& of) { return of.shaderModel; }},
    Key{"level", [](const gpu::Identity& of) { return std::string(name(of.maxLevel)); }},
};
constexpr std::string_view kAnyFile = "sha256";
constexpr std::string_view kFile = "sha256:";

// Returns a target's values for a key; for kAnyFile, one per file.
std::vector<std::string> valuesOf(const gpu::Identity& identity, std::string_view key) {
  std::vector<std::string> values;
  for (const auto& [fact, value] : identityFacts(identity)) {
    if (fact == key || (key == kAnyFile && fact.starts_with(kFile))) values.push_back(value);
  }
  return values;
}

// Converts members between identities and headers.
struct Convert {
  template <typename Value>
  void operator()(const char*, Value& to, const Value& from, Member) const {
    to = from;
  }
  void operator()(const char*, std::string& to, const Level& from, Member) const {
    to = name(from);
  }
  void operator()(const char*, Level& to, const std::string& from, Member) const {
    to = parseLevel(from).value_or(to);
  }
};

std::string inQuotes(std::string_view text) {
  return text.empty() ? "unknown" : fmt::format("\"{}\"", text);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> identityFacts(const gpu::Identity& identity) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const Key& key : kKeys) facts.emplace_back(key.name, key.value(identity));
  for (const auto& [file, hash] : identity.files) {
    facts.emplace_back(std::string(kFile) + file, hash);
  }
  return facts;
}

RequiredTarget::RequiredTarget(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const size_t equals = std::min(text.find('='), text.size());
    Requirement requirement{text.substr(0, equals), text.substr(std::min(equals + 1, text.size()))};
    const std::string& key = requirement.key;
    const bool ofFile = key.starts_with(kFile) && key.size() > kFile.size();
    if (std::ranges::find(kKeys, key, &Key::name) == kKeys.end() && key != kAnyFile && !ofFile) {
      std::vector<std::string_view> names;
      for (const Key& each : kKeys) names.push_back(each.name);
      throw std::invalid_argument(
          fmt::format("--require {}: there is no key \"{}\", only {}, {} and {}FILE{}", text, key,
                      fmt::join(names, ", "), kAnyFile, kFile, didYouMean(key, names)));
    }
    if (requirement.pattern.empty()) {
      throw std::invalid_argument(fmt::format("--require {}: not KEY=VALUE", text));
    }
    all_.push_back(std::move(requirement));
  }
}

void RequiredTarget::check(const gpu::Identity& identity) const {
  std::string wrong;
  for (const auto& [key, required] : all_) {
    const std::string& pattern = required;  // a lambda cannot capture a structured binding
    const auto values = valuesOf(identity, key);
    const bool found = std::ranges::any_of(
        values, [&](const auto& value) { return matchesPattern(pattern, value); });
    if (found) continue;
    std::string answered;
    for (const std::string& value : values) {
      answered += (answered.empty() ? "" : ", ") + inQuotes(value);
    }
    wrong += fmt::format("\n{:<15} required {}, answered {}", key, inQuotes(pattern),
                         answered.empty() ? "unknown" : answered);
  }
  if (!wrong.empty()) {
    throw WrongTarget("not what --require asks for has answered, and nothing was run" + wrong);
  }
}

void setIdentity(JournalHeader& header, const gpu::Identity& identity) {
  visitIdentities(Convert{}, header, identity);
}

gpu::Identity identityOf(const JournalHeader& header) {
  gpu::Identity identity;
  visitIdentities(Convert{}, identity, header);
  return identity;
}

std::optional<std::string> differenceOf(const gpu::Identity& now, const gpu::Identity& before) {
  const auto factsOf = [](const gpu::Identity& identity) {
    auto facts = identityFacts(identity);
    for (const auto& [limit, value] : identity.limits) facts.emplace_back("limit " + limit, value);
    return facts;
  };
  const auto are = factsOf(now);
  const auto were = factsOf(before);
  const auto quoted = [](const auto& facts, const std::string& name) {
    const auto found = std::ranges::find(facts, name, [](const auto& each) { return each.first; });
    const bool known = found != facts.end() && !found->second.empty();
    return known ? '"' + found->second + '"' : "unknown";
  };
  for (const auto* facts : {&are, &were}) {
    for (const auto& [name, value] : *facts) {
      const std::string is = quoted(are, name);
      const std::string was = quoted(were, name);
      if (is != was) return fmt::format("{} is {}, not {}", name, is, was);
    }
  }
  return std::nullopt;
}

}  // namespace dmlcts

#include "conformance/run/identity.h"

#include <fmt/format.h>

namespace dmlcts {
namespace {

using Facts = std::map<std::string, std::string>;

std::string quoted(const std::string& text) { return text.empty() ? "unknown" : '"' + text + '"'; }

}  // namespace

void setIdentity(JournalHeader& header, const gpu::Identity& identity) {
  header.target = identity.target;
  header.adapter = identity.adapter;
  header.vendorId = identity.vendorId;
  header.deviceId = identity.deviceId;
  header.driver = identity.driver;
  header.runtime = identity.runtime;
  header.implementation = identity.implementation;
  header.maxLevel = name(identity.maxLevel);
  header.limits = identity.limits;
  header.files = identity.files;
}

gpu::Identity identityOf(const JournalHeader& header) {
  gpu::Identity identity;
  identity.target = header.target;
  identity.adapter = header.adapter;
  identity.vendorId = header.vendorId;
  identity.deviceId = header.deviceId;
  identity.driver = header.driver;
  identity.runtime = header.runtime;
  identity.implementation = header.implementation;
  identity.maxLevel = parseLevel(header.maxLevel).value_or(identity.maxLevel);
  identity.limits = header.limits;
  identity.files = header.files;
  return identity;
}

std::optional<std::string> differenceOf(const gpu::Identity& now, const gpu::Identity& before) {
  std::optional<std::string> difference;
  const auto compare = [&](const std::string& what, const std::string& is, const std::string& was) {
    if (!difference && is != was) {
      difference = fmt::format("{} is {}, not {}", what, quoted(is), quoted(was));
    }
  };
  const auto compareFacts = [&](const char* what, const Facts& are, const Facts& were) {
    const auto look = [](const Facts& facts, const std::string& name) {
      const auto found = facts.find(name);
      return found == facts.end() ? std::string() : found->second;
    };
    for (const Facts* facts : {&are, &were}) {
      for (const auto& [name, value] : *facts) {
        compare(what + (" " + name), look(are, name), look(were, name));
      }
    }
  };
  compare("target", now.target, before.target);
  compare("adapter", now.adapter, before.adapter);
  compare("vendor", fmt::format("0x{:04x}", now.vendorId),
          fmt::format("0x{:04x}", before.vendorId));
  compare("device", fmt::format("0x{:04x}", now.deviceId),
          fmt::format("0x{:04x}", before.deviceId));
  compare("driver", now.driver, before.driver);
  compare("runtime", now.runtime, before.runtime);
  compare("implementation", now.implementation, before.implementation);
  compare("highest level", std::string(name(now.maxLevel)), std::string(name(before.maxLevel)));
  compareFacts("limit", now.limits, before.limits);
  compareFacts("SHA-256 of", now.files, before.files);
  return difference;
}

}  // namespace dmlcts

#include "conformance/run/identity.h"

#include <fmt/format.h>

#include "reports/journal/journal_members.h"

namespace dmlcts {
namespace {

using NamedTexts = std::map<std::string, std::string>;

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

// Finds the first member that differs.
struct Difference {
  std::optional<std::string> first;

  void operator()(std::string_view member, const std::string& is, const std::string& was, Member) {
    compare(member, is, was);
  }
  void operator()(std::string_view member, uint32_t is, uint32_t was, Member) {
    compare(member == "vendorId" ? "vendor" : "device", fmt::format("0x{:04x}", is),
            fmt::format("0x{:04x}", was));
  }
  void operator()(std::string_view, Level is, Level was, Member) {
    compare("highest level", std::string(name(is)), std::string(name(was)));
  }
  void operator()(std::string_view member, const NamedTexts& are, const NamedTexts& were, Member) {
    const std::string what = member == "limits" ? "limit " : "SHA-256 of ";
    const auto look = [](const NamedTexts& facts, const std::string& name) {
      const auto found = facts.find(name);
      return found == facts.end() ? std::string() : found->second;
    };
    for (const NamedTexts* facts : {&are, &were}) {
      for (const auto& [name, value] : *facts) {
        compare(what + name, look(are, name), look(were, name));
      }
    }
  }

 private:
  static std::string quoted(const std::string& text) {
    return text.empty() ? "unknown" : '"' + text + '"';
  }
  void compare(std::string_view what, const std::string& is, const std::string& was) {
    if (!first && is != was) first = fmt::format("{} is {}, not {}", what, quoted(is), quoted(was));
  }
};

}  // namespace

void setIdentity(JournalHeader& header, const gpu::Identity& identity) {
  visitIdentities(Convert{}, header, identity);
}

gpu::Identity identityOf(const JournalHeader& header) {
  gpu::Identity identity;
  visitIdentities(Convert{}, identity, header);
  return identity;
}

std::optional<std::string> differenceOf(const gpu::Identity& now, const gpu::Identity& before) {
  Difference difference;
  visitIdentities(difference, now, before);
  return difference.first;
}

}  // namespace dmlcts

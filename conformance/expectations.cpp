#include "conformance/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "conformance/cases/case_string.h"
#include "reports/input_error.h"

namespace dmlcts {
namespace {

using nlohmann::json;

// The numbers of the first dotted version in a text: "NVIDIA 580.159.03" gives 580, 159, 3.
std::vector<uint64_t> versionNumbers(std::string_view text) {
  std::vector<uint64_t> numbers;
  const char* at = std::find_if(text.data(), text.data() + text.size(),
                                [](char c) { return c >= '0' && c <= '9'; });
  const char* end = text.data() + text.size();
  uint64_t number = 0;
  while (at != end) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    if (next == end || *next != '.') break;
    at = next + 1;
  }
  return numbers;
}

// Strict access to the members of one entry, naming the place of whatever is wrong.
class Entry {
 public:
  Entry(const json& value, std::string where) : value_(value), where_(std::move(where)) {
    if (!value_.is_object()) fail("is not an object");
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(where_ + ": " + problem);
  }

  void allowOnly(std::initializer_list<std::string_view> names) const {
    for (const auto& [name, unused] : value_.items()) {
      if (std::ranges::find(names, name) == names.end()) fail("unknown member \"" + name + "\"");
    }
  }

  bool has(const char* name) const { return value_.contains(name); }

  std::string text(const char* name) const {
    if (!has(name)) return {};
    if (!value_[name].is_string()) fail(fmt::format("\"{}\" is not a text", name));
    return value_[name].get<std::string>();
  }

  bool flag(const char* name) const {
    if (!has(name)) return false;
    if (!value_[name].is_boolean()) fail(fmt::format("\"{}\" is not true or false", name));
    return value_[name].get<bool>();
  }

  Entry member(const char* name) const { return {value_[name], where_ + "." + name}; }

 private:
  const json& value_;
  std::string where_;
};

bool isDate(std::string_view text) {
  if (text.size() != 10) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  }
  return true;
}

bool idMatches(const Entry& when, const char* name, uint32_t id) {
  const std::string text = when.text(name);
  if (text.empty()) return true;
  uint32_t wanted = 0;
  const bool hex = text.starts_with("0x");
  const auto [end, error] = std::from_chars(text.data() + (hex ? 2 : 0), text.data() + text.size(),
                                            wanted, hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) {
    when.fail(fmt::format("\"{}\" is \"{}\", not a number", name, text));
  }
  return wanted == id;
}

bool appliesTo(const Entry& when, const gpu::Identity& identity) {
  when.allowOnly({"target", "adapter", "implementation", "runtime", "vendor", "device", "driver"});
  const auto textMatches = [&](const char* name, const std::string& value) {
    const std::string pattern = when.text(name);
    return pattern.empty() || matchesPattern(pattern, value);
  };
  bool applies = textMatches("target", identity.target);
  applies = textMatches("adapter", identity.adapter) && applies;
  applies = textMatches("implementation", identity.implementation) && applies;
  applies = textMatches("runtime", identity.runtime) && applies;
  applies = idMatches(when, "vendor", identity.vendorId) && applies;
  applies = idMatches(when, "device", identity.deviceId) && applies;
  if (when.has("driver")) {
    const Entry range = when.member("driver");
    range.allowOnly({"from", "through"});
    const auto version = versionNumbers(identity.driver);
    const auto from = versionNumbers(range.text("from"));
    auto through = versionNumbers(range.text("through"));
    if (from.empty() && through.empty()) range.fail("has neither \"from\" nor \"through\"");
    // "through 590" includes every 590.x: compare as many numbers as it names.
    auto cut = version;
    cut.resize(std::min(cut.size(), through.size()));
    applies = applies && !version.empty() && version >= from && (through.empty() || cut <= through);
  }
  return applies;
}

Expectation readEntry(const Entry& entry) {
  entry.allowOnly({"query", "case", "verdict", "reason", "link", "expires", "sometimes", "when"});
  Expectation expectation;
  if (entry.has("query") == entry.has("case")) entry.fail("needs either \"query\" or \"case\"");
  expectation.exact = entry.has("case");
  expectation.text = entry.text(expectation.exact ? "case" : "query");
  try {
    if (expectation.exact) {
      expectation.text = caseString(parseCase(expectation.text));
    } else {
      expectation.query.emplace_back(expectation.text);
    }
  } catch (const SyntaxError& error) {
    entry.fail(error.what());
  }
  const std::string verdict = entry.text("verdict");
  const auto parsed = parseVerdict(verdict);
  if (!parsed || std::ranges::find(kExpectable, *parsed) == kExpectable.end()) {
    entry.fail("\"verdict\" is \"" + verdict +
               "\", not one of Fail, Crash, Timeout, DeviceRemoved, Vacuous");
  }
  expectation.verdict = *parsed;
  expectation.reason = entry.text("reason");
  if (expectation.reason.empty()) entry.fail("needs a \"reason\"");
  expectation.link = entry.text("link");
  expectation.sometimes = entry.flag("sometimes");
  const std::string expires = entry.text("expires");
  if (entry.has("expires") && !isDate(expires)) {
    entry.fail("\"expires\" is \"" + expires + "\", not a date like 2027-01-31");
  }
  return expectation;
}

}  // namespace

Expectations Expectations::read(const std::filesystem::path& file, const gpu::Identity& identity,
                                const std::string& today) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file.string() + ": cannot be read");
  std::ostringstream text;
  text << stream.rdbuf();
  return parse(text.str(), file.string(), identity, today);
}

Expectations Expectations::parse(std::string_view text, const std::string& name,
                                 const gpu::Identity& identity, const std::string& today) {
  json document;
  try {
    document = json::parse(text);
  } catch (const json::exception& error) {
    throw InputError(name + ": " + error.what());
  }
  const Entry root(document, name);
  root.allowOnly({"expectations"});
  if (!root.has("expectations") || !document["expectations"].is_array()) {
    root.fail("needs a list \"expectations\"");
  }
  Expectations result;
  size_t index = 0;
  for (const json& value : document["expectations"]) {
    const Entry entry(value, fmt::format("{}: expectations[{}]", name, index++));
    Expectation expectation = readEntry(entry);
    const std::string expires = entry.text("expires");
    if (!expires.empty() && expires <= today) {
      result.warnings_.push_back(
          fmt::format("expired on {} and not applied: {}", expires, expectation.text));
      continue;
    }
    if (entry.has("when") && !appliesTo(entry.member("when"), identity)) continue;
    result.entries_.push_back(std::move(expectation));
  }
  return result;
}

Verdict Expectations::apply(const Case& testCase, const std::string& caseText, Verdict verdict,
                            std::string& message) {
  const auto found = std::ranges::find_if(entries_, [&](const Expectation& entry) {
    return entry.exact ? entry.text == caseText : entry.query.front().matches(testCase);
  });
  if (found == entries_.end()) return verdict;
  ++found->matched;
  const std::string link = found->link.empty() ? "" : " (" + found->link + ")";
  if (verdict == found->verdict) {
    message = fmt::format("{}{}; {}: {}", found->reason, link, name(verdict), message);
    return Verdict::Waived;
  }
  if (verdict == Verdict::Pass && !found->sometimes) {
    message = fmt::format("expected {}: {}{}", name(found->verdict), found->reason, link);
    return Verdict::UnexpectedPass;
  }
  return verdict;
}

std::vector<std::string> Expectations::unused() const {
  std::vector<std::string> lines;
  for (const Expectation& entry : entries_) {
    if (entry.matched == 0 && !entry.sometimes) lines.push_back("no case matched: " + entry.text);
  }
  return lines;
}

}  // namespace dmlcts

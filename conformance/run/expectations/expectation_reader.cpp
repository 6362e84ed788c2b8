// Strict reader of expectation files: every error names its place.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "conformance/language/case_string.h"
#include "conformance/run/expectations/expectations.h"
#include "reports/compare/version.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"

namespace dmlcts {
namespace {

using nlohmann::json;

constexpr int kVersion = 2;

bool idMatches(const JsonEntry& when, const char* name, uint32_t id) {
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

VersionRange rangeOf(const JsonEntry& when, const char* name, const std::string& text) {
  try {
    return VersionRange(text);
  } catch (const std::invalid_argument& error) {
    when.fail(fmt::format("\"{}\" is \"{}\": {}", name, text, error.what()));
  }
}

// Accepts a pattern or a range.
bool versionMatches(const JsonEntry& when, const char* name, const std::string& text) {
  if (when.isObject(name)) {
    when.fail(fmt::format("\"{}\" is a text, like \">=580 <=590\"", name));
  }
  const std::string pattern = when.text(name);
  if (VersionRange::isOne(pattern)) return rangeOf(when, name, pattern).contains(text);
  return pattern.empty() || matchesPattern(pattern, text);
}

bool appliesTo(const JsonEntry& when, const gpu::Identity& identity, const std::string& mode) {
  when.allowOnly({"target", "adapter", "implementation", "shaderModel", "runtime", "vendor",
                  "device", "driver", "mode"});
  const auto textMatches = [&](const char* name, const std::string& value) {
    const std::string pattern = when.text(name);
    return pattern.empty() || matchesPattern(pattern, value);
  };
  bool applies = textMatches("target", identity.target);
  applies = textMatches("adapter", identity.adapter) && applies;
  applies = versionMatches(when, "implementation", identity.implementation) && applies;
  applies = versionMatches(when, "shaderModel", identity.shaderModel) && applies;
  applies = versionMatches(when, "runtime", identity.runtime) && applies;
  applies = versionMatches(when, "driver", identity.driver) && applies;
  applies = textMatches("mode", mode) && applies;
  applies = idMatches(when, "vendor", identity.vendorId) && applies;
  applies = idMatches(when, "device", identity.deviceId) && applies;
  return applies;
}

// Reads the members common to all entries, except "when". Returns the case if the entry names one.
std::optional<Case> readCases(const JsonEntry& entry, CaseSet& cases) {
  if (entry.has("query") == entry.has("case")) entry.fail("needs either \"query\" or \"case\"");
  cases.exact = entry.has("case");
  cases.text = entry.text(cases.exact ? "case" : "query");
  cases.reason = entry.text("reason");
  try {
    if (!cases.exact) {
      cases.query.emplace_back(cases.text);
      return std::nullopt;
    }
    Case exact = parseCase(cases.text);
    cases.text = caseString(exact);
    return exact;
  } catch (const SyntaxError& error) {
    entry.fail(error.what());
  }
}

void readRule(const JsonEntry& entry, const std::optional<Case>& exact, Expectation& expectation) {
  const std::string rule = entry.text("rule");
  if (!entry.has("rule")) {
    if (!exact && expectation.verdict == Verdict::Fail) {
      entry.fail("needs a \"rule\", the rule that the target breaks; see dmlcts list --rules");
    }
    return;
  }
  expectation.rule = findRule(rule);
  if (!expectation.rule) {
    entry.fail("there is no rule \"" + rule + "\"; see dmlcts list --rules");
  }
  if (expectation.rule->checked == Checked::NotAtAll) {
    entry.fail("\"rule\" is \"" + rule + "\", which no case tests");
  }
  if (exact && !isAbout(*exact, *expectation.rule)) {
    entry.fail("the case does not exercise the rule " + rule);
  }
}

void readVerdict(const JsonEntry& entry, Expectation& expectation) {
  const std::string verdict = entry.text("verdict");
  const auto parsed = parseVerdict(verdict);
  if (!parsed || std::ranges::find(kExpectable, *parsed) == kExpectable.end()) {
    std::string all;
    for (Verdict each : kExpectable) all += (all.empty() ? "" : ", ") + std::string(name(each));
    entry.fail("\"verdict\" is \"" + verdict + "\", not one of " + all);
  }
  expectation.verdict = *parsed;
  expectation.message = entry.text("message");
  if (expectation.verdict == Verdict::NotSupported && expectation.message.empty()) {
    entry.fail("needs a \"message\": which query says that it is not supported, as a pattern");
  }
}

void readKind(const JsonEntry& entry, const std::string& which, Expectation& expectation) {
  if (std::ranges::find(kKinds, which) == kKinds.end()) {
    std::string all;
    for (std::string_view each : kKinds) all += (all.empty() ? "" : ", ") + std::string(each);
    entry.fail("\"kinds\": unknown kind \"" + which + "\"; kinds are " + all);
  }
  if (expectation.verdict == Verdict::Fail) {
    for (Verdict other : {Verdict::Crash, Verdict::Timeout, Verdict::DeviceRemoved}) {
      if (which != ownKind(other)) continue;
      entry.fail(
          fmt::format("\"kinds\": \"{}\" needs an entry with the verdict {}", which, name(other)));
    }
  }
  if (const Rule* rule = expectation.rule) {
    const bool aboutRejecting = which == kind::kAccepted || which == kind::kHresult;
    const bool aboutExecuting = which == kind::kWrongElements || which == kind::kPaddingBytes;
    const bool byRejecting = rule->checked == Checked::ByRejecting;
    const bool always = rule->checked == Checked::Always;
    if (byRejecting ? aboutExecuting : aboutRejecting && !always) {
      entry.fail(fmt::format("\"kinds\": \"{}\" cannot break the rule {}", which, rule->id));
    }
  }
  expectation.kinds.insert(which);
}

std::vector<std::string> kindsOf(const JsonEntry& entry) {
  const json& kinds = entry.value("kinds");
  const auto isText = [](const json& each) { return each.is_string(); };
  if (!kinds.is_array() || !std::ranges::all_of(kinds, isText)) {
    entry.fail("\"kinds\" is not a list of texts, like [\"wrong-elements\"]");
  }
  return kinds.get<std::vector<std::string>>();
}

void readKinds(const JsonEntry& entry, Expectation& expectation) {
  const Verdict verdict = expectation.verdict;
  if (verdict != Verdict::Fail && verdict != Verdict::Flaky) {
    if (entry.has("kinds")) {
      entry.fail(fmt::format("\"kinds\" is for Fail and Flaky, not for {}", name(verdict)));
    }
    if (const auto own = ownKind(verdict); !own.empty()) expectation.kinds.emplace(own);
    return;
  }
  if (!entry.has("kinds")) {
    entry.fail("needs \"kinds\": what of the failures it covers, like [\"wrong-elements\"]");
  }
  for (const std::string& which : kindsOf(entry)) readKind(entry, which, expectation);
  if (expectation.kinds.empty()) entry.fail("\"kinds\" is empty");
  if (expectation.kinds.size() == 1) return;
  for (const std::string& which : expectation.kinds) {
    if (needsOwnEntry(which)) {
      entry.fail("\"kinds\": \"" + which + "\" needs an entry of its own");
    }
  }
}

void readSometimes(const JsonEntry& entry, Expectation& expectation) {
  expectation.sometimes = expectation.verdict == Verdict::Flaky;
  if (!entry.has("sometimes")) return;
  const json& sometimes = entry.value("sometimes");
  if (!sometimes.is_boolean()) entry.fail("\"sometimes\" is not true or false");
  if (sometimes == true) expectation.sometimes = true;
}

Expectation readEntry(const JsonEntry& entry) {
  entry.allowOnly(
      {"query", "case", "rule", "verdict", "kinds", "message", "reason", "sometimes", "when"});
  Expectation expectation;
  readVerdict(entry, expectation);
  readRule(entry, readCases(entry, expectation), expectation);
  readKinds(entry, expectation);
  readSometimes(entry, expectation);
  return expectation;
}

Skip readSkip(const JsonEntry& entry) {
  entry.allowOnly({"query", "case", "reason", "when"});
  Skip skip;
  readCases(entry, skip);
  return skip;
}

// The run that entries are applied to.
struct Occasion {
  const gpu::Identity& identity;
  const std::string& mode;
};

bool isApplied(const JsonEntry& entry, const Occasion& occasion) {
  return !entry.has("when") || appliesTo(entry.member("when"), occasion.identity, occasion.mode);
}

// Appends the list's entries that apply.
template <class Cases, class Read>
void readList(const json& document, const std::string& file, const char* member,
              const Occasion& occasion, std::vector<Cases>& list, Read read) {
  if (!document.contains(member)) return;
  if (!document[member].is_array()) {
    throw InputError(fmt::format("{}: \"{}\" is not a list", file, member));
  }
  size_t index = 0;
  for (const json& value : document[member]) {
    const JsonEntry entry(value, fmt::format("{}: {}[{}]", file, member, index++));
    Cases cases = read(entry);
    if (cases.reason.empty()) entry.fail("needs a \"reason\"");
    if (isApplied(entry, occasion)) list.push_back(std::move(cases));
  }
}

void requireVersion(const JsonEntry& root) {
  root.allowOnly({"version", "expectations", "skip"});
  const auto version = root.number("version");
  if (version == kVersion) return;
  if (version && *version > kVersion) {
    root.fail(fmt::format("\"version\" is {}; this dmlcts knows {}", *version, kVersion));
  }
  root.fail(fmt::format(
      "needs \"version\": {}. Entries of that version name a \"rule\" and the \"kinds\" of "
      "difference that they cover: docs/write-an-expectation.md",
      kVersion));
}

}  // namespace

Expectations Expectations::read(const std::filesystem::path& file, const gpu::Identity& identity,
                                const std::string& mode) {
  return parse(readInput(file), file.string(), identity, mode);
}

Expectations Expectations::parse(std::string_view text, const std::string& name,
                                 const gpu::Identity& identity, const std::string& mode) {
  const json document = parseJson(text, name);
  const JsonEntry root(document, name);
  requireVersion(root);
  if (!root.has("expectations") && !root.has("skip")) {
    root.fail("needs a list \"expectations\" or \"skip\"");
  }
  Expectations result;
  result.file_ = name;
  const Occasion occasion{identity, mode};
  readList(document, name, "expectations", occasion, result.entries_, readEntry);
  readList(document, name, "skip", occasion, result.skips_, readSkip);
  for (const Expectation& each : result.entries_) result.entryIndex_.add(each);
  for (const Skip& each : result.skips_) result.skipIndex_.add(each);
  return result;
}

}  // namespace dmlcts

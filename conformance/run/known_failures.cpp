#include "conformance/run/known_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "conformance/run/expectation.h"
#include "reports/journal/input_error.h"

namespace dmlcts {
namespace {

using nlohmann::ordered_json;

ordered_json whenOf(const JournalHeader& header) {
  ordered_json when{{"target", header.target}};
  // A driver without a number in its name has no version for a range.
  const size_t digits = header.driver.find_first_of("0123456789");
  if (digits != std::string::npos) {
    const size_t end = header.driver.find_first_not_of("0123456789.", digits);
    std::string version = header.driver.substr(digits, end - digits);
    version.erase(version.find_last_not_of('.') + 1);
    when["driver"] = {{"from", version}, {"through", version}};
  }
  return when;
}

// An entry that covers these kinds of the failure, as much of each as was seen.
ordered_json entryOf(const JournalHeader& header, const JournalEntry& failure, const Kinds& kinds) {
  ordered_json entry{{"case", failure.caseString}};
  // An execution tests several rules, and it is unknown which one was broken.
  if (!failure.executed && failure.rules.size() == 1) entry["rule"] = failure.rules.front();
  entry["verdict"] = name(failure.verdict);
  for (const auto& [which, count] : kinds) {
    ordered_json bounds = ordered_json::object();
    if (isCounted(which)) bounds["atMost"] = count;
    entry["kinds"][which] = std::move(bounds);
  }
  if (failure.verdict == Verdict::Flaky) entry["sometimes"] = {{"atMost", 1}};
  if (failure.verdict == Verdict::NotSupported) entry["message"] = failure.message;
  entry["reason"] = failure.message.empty()
                        ? std::string(name(failure.verdict)) + ", without a message"
                        : failure.message;
  entry["when"] = whenOf(header);
  return entry;
}

void addEntries(const JournalHeader& header, const JournalEntry& failure, ordered_json& entries) {
  const bool hasKinds = failure.verdict == Verdict::Fail || failure.verdict == Verdict::Flaky;
  if (!hasKinds) {
    entries.push_back(entryOf(header, failure, {}));
    return;
  }
  if (failure.kinds.empty()) {
    throw InputError(
        fmt::format("the journal does not say what kind of {} this is: {}; it is of an older "
                    "version of dmlcts, so run the case again",
                    name(failure.verdict), failure.caseString));
  }
  Kinds together;
  for (const auto& [which, count] : failure.kinds) {
    if (needsOwnEntry(which)) {
      entries.push_back(entryOf(header, failure, {{which, count}}));
    } else {
      together.emplace(which, count);
    }
  }
  if (!together.empty()) entries.push_back(entryOf(header, failure, together));
}

}  // namespace

std::string knownFailures(std::span<const Journal> journals) {
  ordered_json entries = ordered_json::array();
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> seen;
  for (const Journal& journal : journals) {
    for (size_t i = 0; i < journal.entries.size(); ++i) {
      const JournalEntry& entry = journal.entries[i];
      const JournalHeader& header = journal.headers.at(journal.headerOf.at(i));
      if (std::ranges::find(kExpectable, entry.verdict) == kExpectable.end()) continue;
      if (!seen.emplace(entry.caseString, header.target, header.driver).second) continue;
      addEntries(header, entry, entries);
    }
  }
  return ordered_json{{"version", 2}, {"expectations", std::move(entries)}}.dump(2) + '\n';
}

}  // namespace dmlcts

#include "conformance/known_failures.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "conformance/expectations.h"

namespace dmlcts {
namespace {

using nlohmann::ordered_json;

ordered_json entryOf(const JournalHeader& header, const JournalEntry& entry) {
  ordered_json when{{"target", header.target}};
  // A driver without a number in its name has no version that a range could hold.
  const size_t digits = header.driver.find_first_of("0123456789");
  if (digits != std::string::npos) {
    const size_t end = header.driver.find_first_not_of("0123456789.", digits);
    std::string version = header.driver.substr(digits, end - digits);
    version.erase(version.find_last_not_of('.') + 1);
    when["driver"] = {{"from", version}, {"through", version}};
  }
  std::string reason = entry.message;
  if (reason.empty()) reason = std::string(name(entry.verdict)) + ", without a message";
  return {{"case", entry.caseString},
          {"verdict", name(entry.verdict)},
          {"reason", std::move(reason)},
          {"when", std::move(when)}};
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
      entries.push_back(entryOf(header, entry));
    }
  }
  return ordered_json{{"expectations", std::move(entries)}}.dump(2) + '\n';
}

}  // namespace dmlcts

#include "reports/render/case_index.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "conformance/cases/case_string.h"
#include "conformance/cases/measures.h"
#include "conformance/cases/traits.h"

namespace dmlcts {
namespace {

using Json = ReportDocument;

// Numbers strings in order of appearance.
class StringTable {
 public:
  size_t indexOf(const std::string& text) {
    const auto [found, fresh] = indices_.emplace(text, indices_.size());
    if (fresh) strings_.push_back(text);
    return found->second;
  }
  Json take() { return std::move(strings_); }

 private:
  std::unordered_map<std::string, size_t> indices_;
  Json strings_ = Json::array();
};

// What the cases of a group have in common.
using Key = std::tuple<std::string_view, std::string_view, std::string_view, uint32_t,
                       std::string_view, bool, Verdict, std::string_view, std::vector<std::string>>;

Key keyOf(const JournalEntry& entry) {
  // Each failure has a message of its own, which the list of failures shows.
  const bool hasNote = entry.verdict != Verdict::Pass && !isFailure(entry.verdict) &&
                       entry.verdict != Verdict::InternalError;
  return {entry.op,      entry.level,
          entry.type,    entry.rank,
          entry.family,  entry.executed,
          entry.verdict, hasNote ? std::string_view(entry.message) : std::string_view(),
          entry.rules};
}

// Length of the common ASCII beginning: as many bytes here as UTF-16 units in the page.
size_t sharedPrefix(std::string_view a, std::string_view b) {
  size_t length = 0;
  while (length < std::min(a.size(), b.size()) && a[length] == b[length] &&
         static_cast<unsigned char>(a[length]) < 0x80) {
    ++length;
  }
  return length;
}

std::string traitWords(Traits traits) {
  std::string words;
  for (size_t i = 0; i < kTraitNames.size(); ++i) {
    if (!traits.has(static_cast<Trait>(i))) continue;
    words += (words.empty() ? "" : " ") + std::string(kTraitNames[i]);
  }
  return words;
}

}  // namespace

Json inputFacts(std::string_view caseString, std::optional<bool> weak) {
  try {
    const Case testCase = parseCase(caseString);
    const auto traits = quickTraitsOf(testCase, weak);
    if (!traits) return nullptr;
    return {attributesOf(testCase), traitWords(*traits), findMeasure("denormals")->of(testCase)};
  } catch (const SyntaxError&) {
    return nullptr;
  }
}

ReportDocument packCases(const Report& report) {
  StringTable strings;
  std::unordered_map<std::string_view, size_t> ruleIndex;
  for (size_t i = 0; i < report.rules.size(); ++i) ruleIndex.emplace(report.rules[i].id, i);

  std::map<Key, std::vector<const JournalEntry*>> groups;
  for (const JournalEntry& entry : report.cases) groups[keyOf(entry)].push_back(&entry);

  StringTable facts;  // as text
  Json packed = Json::array();
  for (const auto& [key, entries] : groups) {
    const JournalEntry& first = *entries.front();
    Json rules = Json::array();
    for (const std::string& id : first.rules) rules.push_back(ruleIndex.at(id));
    Json cases = Json::array();
    std::vector<size_t> runs;  // length, index into facts, …
    std::string_view before;
    for (const JournalEntry* entry : entries) {
      const size_t shared = sharedPrefix(before, entry->caseString);
      cases.push_back(shared);
      cases.push_back(entry->caseString.substr(shared));
      before = entry->caseString;
      const size_t index = facts.indexOf(inputFacts(entry->caseString, entry->foundWeak()).dump());
      if (runs.empty() || runs.back() != index) runs.insert(runs.end(), {0, index});
      ++runs[runs.size() - 2];
    }
    packed.push_back({strings.indexOf(first.op), strings.indexOf(first.level),
                      strings.indexOf(first.type), first.rank, strings.indexOf(first.family),
                      first.executed ? 1 : 0, strings.indexOf(std::string(name(first.verdict))),
                      strings.indexOf(std::string(std::get<7>(key))), std::move(rules),
                      std::move(cases), std::move(runs)});
  }
  Json table = Json::array();
  for (const Json& each : facts.take()) table.push_back(Json::parse(each.get<std::string>()));
  return {{"strings", strings.take()}, {"facts", std::move(table)}, {"groups", std::move(packed)}};
}

}  // namespace dmlcts

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

// Denormals are counted in inputs of at most so many elements, a second's work, within so much
// room: a journal can name any case.
constexpr uint64_t kMaxCounted = uint64_t{1} << 26;
constexpr uint64_t kMaxRoom = uint64_t{1} << 28;

}  // namespace

std::optional<uint64_t> countDenormals(std::string_view inputType, std::string_view caseString) {
  if (!inputType.starts_with('f')) return 0;
  try {
    const Case testCase = parseCase(caseString);
    if (testCase.expect != Expect::Execute) return 0;  // it has no inputs
    if (findMeasure("elements")->of(testCase) > kMaxCounted ||
        findMeasure("room")->of(testCase) > kMaxRoom) {
      return std::nullopt;
    }
    return findMeasure("denormals")->of(testCase);
  } catch (const SyntaxError&) {
    return std::nullopt;
  }
}

ReportDocument packCases(const Report& report) {
  StringTable strings;
  std::unordered_map<std::string_view, size_t> ruleIndex;
  for (size_t i = 0; i < report.rules.size(); ++i) ruleIndex.emplace(report.rules[i].id, i);

  std::map<Key, std::vector<const JournalEntry*>> groups;
  for (const JournalEntry& entry : report.cases) groups[keyOf(entry)].push_back(&entry);

  Json packed = Json::array();
  for (const auto& [key, entries] : groups) {
    const JournalEntry& first = *entries.front();
    Json rules = Json::array();
    for (const std::string& id : first.rules) rules.push_back(ruleIndex.at(id));
    Json cases = Json::array();
    Json denormals = Json::array();
    std::string_view before;
    size_t position = 0;
    for (const JournalEntry* entry : entries) {
      const size_t shared = sharedPrefix(before, entry->caseString);
      cases.push_back(shared);
      cases.push_back(entry->caseString.substr(shared));
      before = entry->caseString;
      const auto count = countDenormals(entry->type, entry->caseString);
      if (count != uint64_t{0}) {
        denormals.push_back(position);
        denormals.push_back(count ? Json(*count) : Json(nullptr));
      }
      ++position;
    }
    packed.push_back({strings.indexOf(first.op), strings.indexOf(first.level),
                      strings.indexOf(first.type), first.rank, strings.indexOf(first.family),
                      first.executed ? 1 : 0, strings.indexOf(std::string(name(first.verdict))),
                      strings.indexOf(std::string(std::get<7>(key))), std::move(rules),
                      std::move(cases), std::move(denormals)});
  }
  return {{"strings", strings.take()}, {"groups", std::move(packed)}};
}

}  // namespace dmlcts

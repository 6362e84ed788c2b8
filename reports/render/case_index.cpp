#include "reports/render/case_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/cases/case_string.h"
#include "conformance/cases/hash.h"
#include "conformance/cases/measures.h"
#include "conformance/cases/operator_syntax.h"
#include "reference/tensor.h"

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

// The properties that all cases of a group share.
using CaseGroup =
    std::tuple<std::string_view, std::string_view, std::string_view, uint32_t, std::string_view,
               bool, Verdict, std::string_view, std::vector<std::string>>;

CaseGroup keyOf(const JournalEntry& entry) {
  // Each failure has its own message, which the list of failures shows.
  const bool hasNote = entry.verdict != Verdict::Pass && !isFailure(entry.verdict) &&
                       entry.verdict != Verdict::InternalError;
  return {entry.op,      entry.level,
          entry.type,    entry.rank,
          entry.family,  entry.executed,
          entry.verdict, hasNote ? std::string_view(entry.message) : std::string_view(),
          entry.rules};
}

// True only if keyOf() is the same for both.
bool inOneGroup(const JournalEntry& a, const JournalEntry& b) {
  return a.verdict == Verdict::Pass && b.verdict == Verdict::Pass && a.executed == b.executed &&
         a.rank == b.rank && a.op == b.op && a.level == b.level && a.type == b.type &&
         a.family == b.family && a.rules == b.rules;
}

// Returns the length of the common ASCII prefix: bytes here equal UTF-16 units in the page.
size_t sharedPrefix(std::string_view a, std::string_view b) {
  size_t length = 0;
  while (length < std::min(a.size(), b.size()) && a[length] == b[length] &&
         static_cast<unsigned char>(a[length]) < 0x80) {
    ++length;
  }
  return length;
}

}  // namespace

ReportDocument inputFacts(const JournalEntry& entry) {
  if (!entry.executed) return {"", "", 0};
  if (entry.has.empty()) return nullptr;
  // The last of a case's labels is the class of its attributes.
  return {entry.labels.substr(entry.labels.rfind(' ') + 1), entry.has + (entry.weak ? " weak" : ""),
          entry.denormals};
}

std::string spelledOut(std::string_view caseString) {
  std::string words;
  const auto add = [&words](std::string_view key, std::string_view tensor, auto&& values) {
    if (!words.empty()) words += ' ';
    fmt::format_to(std::back_inserter(words), "{}{}={}", key, tensor,
                   std::forward<decltype(values)>(values));
  };
  try {
    const Case testCase = parseCase(caseString);
    const Descriptor& descriptor = testCase.descriptor;
    const auto dims = dimensionCounts(descriptor);
    if (!dims.empty() && dims == defaultDimensionCounts(descriptor)) {
      add("dims", "", fmt::join(dims, ","));
    }
    const bool hasLayouts = caseString.find(" layout.") != caseString.npos;
    const auto slots = tensors(descriptor);
    for (size_t i = 0; i < slots.size(); ++i) {
      const TensorDesc& desc = *slots[i].desc;
      if (defaultType(descriptor, i) == desc.type) {
        add("", slots[i].name, info(desc.type).name);
        words += desc.sizes.empty() ? ":none" : fmt::format(":{}", fmt::join(desc.sizes, "x"));
      }
      add("total.", slots[i].name, desc.totalBytes);
      if (desc.strides && hasLayouts) {
        add("steps.", slots[i].name, fmt::join(*desc.strides, ","));
      }
    }
    for (std::string_view key : kBoundable) {
      const uint64_t measured = findMeasure(key)->of(testCase);
      if (measured != 0) add(key, "", measured);
    }
  } catch (const SyntaxError&) {
    return "";  // of another version
  }
  return words;
}

namespace {

// Numbers the distinct inputFacts() in order of appearance.
class FactsTable {
 public:
  size_t indexOf(const JournalEntry& entry) {
    key_.clear();
    if (entry.executed) {
      key_ = entry.labels.substr(entry.labels.rfind(' ') + 1) + ' ' + entry.has;
      key_ += (entry.weak ? " weak " : " ") + std::to_string(entry.denormals);
    }
    const auto [found, fresh] = indices_.emplace(key_, indices_.size());
    if (fresh) facts_.push_back(inputFacts(entry));
    return found->second;
  }
  Json take() { return std::move(facts_); }

 private:
  std::string key_;
  std::unordered_map<std::string, size_t> indices_;
  Json facts_ = Json::array();
};

// Hashes the words that spelledOut() depends on.
uint64_t hashOfDescriptor(std::string_view caseString) {
  Fnv1a hash;
  for (size_t at = 0; at < caseString.size();) {
    const size_t end = std::min(caseString.find(' ', at), caseString.size());
    const std::string_view word = caseString.substr(at, end - at);
    const std::string_view key = word.substr(0, word.find('='));
    if (key != "level" && key != "fill" && key != "index" && key != "seed" && key != "expect" &&
        key != "mode") {
      hash.add(word);
      hash.add(" ");
    }
    at = end + 1;
  }
  return hash.value();
}

}  // namespace

ReportDocument packCases(const Report& report) {
  StringTable strings;
  std::unordered_map<std::string_view, size_t> ruleIndex;
  for (size_t i = 0; i < report.rules.size(); ++i) ruleIndex.emplace(report.rules[i].id, i);

  std::map<CaseGroup, std::vector<const JournalEntry*>> groups;
  // Neighbours mostly share a group, and making a key is slow.
  const JournalEntry* before = nullptr;
  std::vector<const JournalEntry*>* group = nullptr;
  for (const JournalEntry& entry : report.cases) {
    if (!before || !inOneGroup(*before, entry)) group = &groups[keyOf(entry)];
    group->push_back(&entry);
    before = &entry;
  }

  FactsTable facts;
  std::string spelled;  // a line each
  std::unordered_map<uint64_t, size_t> spelledOf;
  Json packed = Json::array();
  for (const auto& [key, entries] : groups) {
    const JournalEntry& first = *entries.front();
    Json rules = Json::array();
    for (const std::string& id : first.rules) rules.push_back(ruleIndex.at(id));
    Json cases = Json::array();
    std::vector<size_t> runs;  // length, index into facts, …
    std::string_view last;
    for (const JournalEntry* entry : entries) {
      const size_t shared = sharedPrefix(last, entry->caseString);
      cases.push_back(shared);
      cases.push_back(entry->caseString.substr(shared));
      const auto [known, fresh] =
          spelledOf.try_emplace(hashOfDescriptor(entry->caseString), spelledOf.size());
      if (fresh) spelled += spelledOut(entry->caseString) + '\n';
      cases.push_back(known->second);
      last = entry->caseString;
      const size_t index = facts.indexOf(*entry);
      if (runs.empty() || runs.back() != index) runs.insert(runs.end(), {0, index});
      ++runs[runs.size() - 2];
    }
    packed.push_back({strings.indexOf(first.op), strings.indexOf(first.level),
                      strings.indexOf(first.type), first.rank, strings.indexOf(first.family),
                      first.executed ? 1 : 0, strings.indexOf(std::string(name(first.verdict))),
                      strings.indexOf(std::string(std::get<7>(key))), std::move(rules),
                      std::move(cases), std::move(runs)});
  }
  return {{"strings", strings.take()},
          {"facts", facts.take()},
          {"spelled", std::move(spelled)},
          {"groups", std::move(packed)}};
}

}  // namespace dmlcts

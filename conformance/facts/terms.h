#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/facts/facts.h"
#include "conformance/language/case.h"

// The query terms (query.h) that are true of a case. explanation.h builds its queries from them.

namespace dmlcts {

// A case reduced to the terms and numbers that queries can test.
struct LabelledCase {
  std::vector<uint32_t> terms;    // numbers of the true terms, ascending
  bool inputsKnown = true;        // false: inputs were not examined, so `terms` lacks "has" terms
  std::vector<uint64_t> numbers;  // by boundedKeys(); kNoNumber if the case has none
  std::vector<uint64_t> lastResort;  // the same by lastResortKeys()
};
inline constexpr uint64_t kNoNumber = UINT64_MAX;

// Return the keys of the numbers that a cause may bound: all but those of facts that are the last
// resort, and those.
std::span<const std::string_view> boundedKeys();
std::span<const std::string_view> lastResortKeys();

// Terms of many cases; each text is numbered once. Leaves out bounds of numbers, and facts that
// cannot be a cause, as seeds cannot.
class CaseTerms {
 public:
  // Without traits, the case's inputs count as not examined.
  LabelledCase of(const Case& testCase, const std::optional<Traits>& traits);

  const std::string& text(uint32_t term) const { return texts_[term]; }
  size_t size() const { return texts_.size(); }

 private:
  void add(const Fact& fact, std::string_view key, std::string_view value, bool holds,
           std::vector<uint32_t>& terms);
  uint32_t number(std::string text);

  std::vector<std::string> texts_;
  std::unordered_map<std::string, uint32_t> numbers_;
  // Terms of each key-value pair, such as "input=f16".
  std::unordered_map<std::string, std::vector<uint32_t>> ofValue_;
  std::string name_;  // of the pair that is looked up; its memory is used again
};

// True if the term depends on the contents of inputs.
bool asksForInputs(std::string_view term);

}  // namespace dmlcts

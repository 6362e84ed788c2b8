#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/cases/facts/measures.h"
#include "conformance/cases/facts/traits.h"
#include "conformance/cases/language/case.h"

// The query terms (query.h) that are true of a case. explanation.h builds its queries from them.

namespace dmlcts {

// A case reduced to the terms and measures that queries can test.
struct LabelledCase {
  std::vector<uint32_t> terms;  // numbers of the true terms, ascending
  bool inputsKnown = true;      // false: inputs were not examined, so `terms` lacks "has" terms
  std::array<uint64_t, kBoundable.size()> measures = {};
};

// Terms of many cases; each text is numbered once. Leaves out measures, where any bound is a term,
// and seeds and sizes, which cannot be a cause.
class CaseTerms {
 public:
  // Without traits, the case's inputs count as not examined.
  LabelledCase of(const Case& testCase, const std::optional<Traits>& traits);

  const std::string& text(uint32_t term) const { return texts_[term]; }
  size_t size() const { return texts_.size(); }

 private:
  void add(std::string_view key, std::string_view value, std::vector<uint32_t>& terms);
  uint32_t number(std::string text);

  std::vector<std::string> texts_;
  std::unordered_map<std::string, uint32_t> numbers_;
  // Terms of each key-value pair, such as "input=f16".
  std::unordered_map<std::string, std::vector<uint32_t>> ofValue_;
};

// costOf: how far a term is from being a cause, from 1; a case's value is nearer than its family.
// placeOf: its position in a query.
uint32_t costOf(std::string_view term);
uint32_t placeOf(std::string_view term);

// Returns the term in words that continue "cases": "with a negative index", "at level 4.0". Falls
// back to "with align.input=16".
std::string wordsOf(std::string_view term);

// True if the term depends on the contents of inputs.
bool asksForInputs(std::string_view term);

}  // namespace dmlcts

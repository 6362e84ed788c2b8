#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/cases/case.h"
#include "conformance/cases/measures.h"
#include "conformance/cases/traits.h"

// The terms of queries (query.h) that are true of a case: what explanation.h builds queries of.

namespace dmlcts {

// What can be asked of a case.
struct LabelledCase {
  std::vector<uint32_t> terms;  // numbers of those that are true, ascending
  bool inputsKnown = true;      // false: nobody looked, so terms with "has" are not among them
  std::array<uint64_t, kBoundable.size()> measures = {};
};

// The terms of many cases, each text numbered once. Left out are measures, of which
// any bound is a term, and what no cause can be: seeds and sizes.
class CaseTerms {
 public:
  // Without traits, nobody looked at the case's inputs.
  LabelledCase of(const Case& testCase, const std::optional<Traits>& traits);

  const std::string& text(uint32_t term) const { return texts_[term]; }
  size_t size() const { return texts_.size(); }

 private:
  void add(std::string_view key, std::string_view value, std::vector<uint32_t>& terms);
  uint32_t number(std::string text);

  std::vector<std::string> texts_;
  std::unordered_map<std::string, uint32_t> numbers_;
  // Of a key and a value of it, such as "input=f16".
  std::unordered_map<std::string, std::vector<uint32_t>> ofValue_;
};

// How far a term is from being a cause, from 1: a value of a case is nearer to one than the family
// that lists it. And where it stands in a query.
uint32_t costOf(std::string_view term);
uint32_t placeOf(std::string_view term);

// The same in words that go on after "cases": "with a negative index", "at level 4.0"; where there
// are no better ones, "with align.input=16".
std::string wordsOf(std::string_view term);

// Whether it asks what inputs hold.
bool asksForInputs(std::string_view term);

}  // namespace dmlcts

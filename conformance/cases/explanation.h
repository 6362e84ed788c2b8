#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/cases/case_terms.h"

// What failing cases have in common: the queries (query.h) that match exactly them.

namespace dmlcts {

// A query whose matches fail: all of them, or most where no few queries match failing cases alone.
struct Cause {
  struct Term {
    std::string text;
    uint64_t passWithout = 0;  // passing cases that match all the other terms, and not this one
  };

  std::vector<Term> terms;    // none: every case
  std::vector<size_t> cases;  // failing ones that it matches, as positions in what was added
  uint64_t passing = 0;       // passing ones that it matches, too

  std::string query() const;  // "gather_nd has=negative-index"; "*" without terms
};

struct Explanation {
  std::vector<Cause> causes;        // by number of cases, most first
  std::vector<size_t> unexplained;  // failing ones that no cause matches

  // Whether the causes match every failing case and no passing one.
  bool exact() const;
};

// What a case says about a cause.
enum class Evidence : uint8_t {
  None,  // nothing: it could not have failed, or nobody can tell whether it did
  Passes,
  Fails,
};

// Explains why some of the cases failed. Always the same for the same cases in the same order.
class Explainer {
 public:
  // Names the case by how many were added before it. Without traits, nobody looked at its inputs.
  void add(const Case& testCase, const std::optional<Traits>& traits);

  size_t size() const { return added_; }

  // As few queries as a search within bounds finds, such that each matches some failing case and no
  // passing one: greedy set cover by conjunctions of terms (each found by a beam search among the
  // terms of one case, then made as general as it can be), then a smaller cover from all that were
  // found, where there is one. Where that leaves cases or takes too many queries to be an
  // explanation, queries most of whose matches fail, with the number of those that pass: a fault
  // does not show in every case that it is in. `evidence` has one element for each case.
  Explanation explain(std::span<const Evidence> evidence) const;

 private:
  friend class CauseSearch;

  // Cases that no term tells apart.
  struct Row {
    LabelledCase label;
    std::vector<size_t> cases;
  };

  CaseTerms terms_;
  std::vector<Row> rows_;
  std::unordered_map<std::string, size_t> rowOf_;
  size_t added_ = 0;
};

}  // namespace dmlcts

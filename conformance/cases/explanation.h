#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/cases/case_terms.h"

// What failing cases have in common: the queries (query.h) that match exactly them.

namespace dmlcts {

// A query that matches failing cases and no passing one, all of whose terms it needs for that.
struct Cause {
  struct Term {
    std::string text;
    uint64_t passWithout = 0;  // passing cases that match all the other terms
  };

  std::vector<Term> terms;    // none: every case failed
  std::vector<size_t> cases;  // failing ones that it matches, as positions in what was added

  std::string query() const;  // "gather_nd has=negative-index"; "*" without terms
};

struct Explanation {
  std::vector<Cause> causes;        // by number of cases, most first
  std::vector<size_t> unexplained;  // failing ones that no cause matches

  bool exact() const { return unexplained.empty(); }
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
  // Names the case by how many were added before it.
  void add(const Case& testCase);

  size_t size() const { return added_; }

  // As few queries as a search within bounds finds, such that each matches some failing case and no
  // passing one: greedy set cover by conjunctions of terms (each found by a beam search among the
  // terms of one case, then made as general as it can be), then a smaller cover from all that were
  // found, where there is one. `evidence` has one element for each case.
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

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/facts/terms.h"

// Explains failures: finds the queries (query.h) that match exactly the failing cases.

namespace dmlcts {

// A query whose matches all fail; or mostly fail, if no few queries match failing cases alone.
struct Cause {
  struct Term {
    std::string text;
    uint64_t passWithout = 0;  // passing cases that match every term but this one
  };

  std::vector<Term> terms;    // empty: matches every case
  std::vector<size_t> cases;  // failing cases that it matches, by position of addition
  uint64_t passing = 0;       // number of passing cases that it also matches

  std::string text() const;  // "gather_nd has=negative-index"; "*" without terms
};

// A case's evidence about a cause.
enum class Evidence : uint8_t {
  None,  // could not have failed, or its outcome is unknown
  Passes,
  Fails,
};

// Explains why some cases failed. Deterministic for the same cases in the same order.
class Explainer {
 public:
  // Adds a case; its position is the number of cases added before. Without traits, its inputs count
  // as not examined.
  void add(const Case& testCase, const std::optional<Traits>& traits);

  size_t size() const { return added_; }

  // Returns few queries, by number of cases, most first, each matching some failing case and no
  // passing one. Greedy set cover by conjunctions of terms, each from a beam search over one case's
  // terms, then generalized. Then tries to find a smaller cover.
  //
  // If cases remain, or there are too many queries, returns queries most of whose matches fail,
  // with their number of passing cases. A fault need not show in every case that triggers it.
  //
  // `evidence` has one element per case. Among queries that fit equally well, prefers those about
  // one of the broken rules.
  std::vector<Cause> explain(std::span<const Evidence> evidence,
                             std::span<const std::string> brokenRules = {}) const;

  // Returns the query that matches all failing cases and, of those with few terms, fewest passing
  // ones.
  Cause common(std::span<const Evidence> evidence) const;

 private:
  friend class CauseSearch;

  // Cases that no term distinguishes, except by facts that are the last resort.
  struct Row {
    LabelledCase label;
    std::vector<size_t> cases;
  };

  CaseTerms terms_;
  std::vector<Row> rows_;
  std::unordered_map<std::string, size_t> rowOf_;
  std::vector<uint64_t> lastResort_;  // each case's numbers by lastResortKeys()
  size_t added_ = 0;
};

}  // namespace dmlcts

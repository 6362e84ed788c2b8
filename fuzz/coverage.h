#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fuzz/labels.h"
#include "reports/journal.h"

// Combinatorial coverage (Kuhn, Mendonza, Kacker, Lei 2013, "Combinatorial coverage measurement
// concepts and applications"): which combinations of the values of any two, or any three,
// parameters occur together in some case that executed.

namespace dmlcts {

struct Combination {
  std::vector<Parameter> parameters;  // 2 or 3
  std::vector<uint8_t> values;        // of each

  std::string text() const;  // "level 3.0, rank 5"
};

struct Coverage {
  uint32_t strength = 2;  // 2: pairs, 3: triples
  uint64_t valid = 0;     // combinations that some valid case has
  uint64_t covered = 0;
  std::vector<Combination> missing;  // valid ones, in the order of parameters and values

  double percent() const;
};

// The distinct points that the journals' executed cases are. Throws SyntaxError for an entry whose
// case string is none.
std::vector<Labels> labelsOf(std::span<const Journal> journals);

// Points that valid cases can have: a large sample of constructed cases, each checked. What is
// valid is decided by it: a combination that no constructed case and no case seen has counts as
// impossible. The same for the same effort (number of constructions).
std::vector<Labels> constructedLabels(uint64_t effort);

// How many of the combinations of `strength` parameters that `possible` or `seen` has, `seen` has.
Coverage measureCoverage(std::span<const Labels> seen, std::span<const Labels> possible,
                         uint32_t strength);

}  // namespace dmlcts

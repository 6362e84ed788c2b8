#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "conformance/facts/parameter_space.h"
#include "conformance/tiers/tiers.h"
#include "reports/journal/journal.h"

// Combinatorial coverage (Kuhn, Mendonza, Kacker, Lei 2013, "Combinatorial coverage measurement
// concepts and applications"). Counts the possible pairs of parameter values that occur together in
// an executed case. Tests of tiers and fuzzing also count triples.

namespace dmlcts {

struct Coverage {
  uint32_t strength = 2;  // 2: pairs, 3: triples
  uint64_t possible = 0;
  uint64_t covered = 0;
  std::vector<PartialLabels> missing;  // in the order of parameters and values

  double percent() const;
};

// "level 3.0, rank 5"
std::string textOf(const PartialLabels& labels);

// True if a target executed the case and its data could reveal a wrong answer.
bool countsForCoverage(const JournalEntry& entry);

// Returns labels that cover as much as the cases that countsForCoverage(). Empty if the journals
// have no labels, as older ones do not.
std::set<Labels> labelsOf(const std::vector<JournalEntry>& cases);

// Keeps labels that cover as much as all that were added: at most one for each triple.
class CoveringLabels {
 public:
  // Adds the labels of a case that executes; false if they add nothing. Leaves out weak cases
  // (conformance/facts/weak.h) and impossible labels, such as out-of-range indices. `isWeak` may be
  // slow: it is called only if the labels add something.
  bool add(const Labels& labels, const std::function<bool()>& isWeak);

  // Adds a journaled case that counts for coverage and has labels.
  bool add(const JournalEntry& entry);

  const std::set<Labels>& get() const { return kept_; }

 private:
  std::vector<bool> seen_;  // triples, by number
  std::set<Labels> kept_;
};

// Measures coverage of the tier's combinations: Default, or pairs of Large.
Coverage measureCoverage(const std::set<Labels>& seen, uint32_t strength,
                         Tier tier = Tier::Default);

// "coverage: 98.61 % of 2784 pairs of parameter values".
std::string coverageLine(const Coverage& pairs);

}  // namespace dmlcts
